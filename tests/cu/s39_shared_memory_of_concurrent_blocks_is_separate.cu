#include "show.h"
__device__ int wrong;
__global__ void child(int mark)
{
    __shared__ int cells[64];
    cells[threadIdx.x] = mark + threadIdx.x;
    __syncthreads();
    if (cells[63 - threadIdx.x] != mark + 63 - (int)threadIdx.x) {
        atomicAdd(&wrong, 1);
    }
}
__global__ void parent()
{
    __shared__ int cells[64];
    int mark = blockIdx.x * 1000;
    cells[threadIdx.x] = mark + threadIdx.x;
    child<<<2, 64>>>(mark + threadIdx.x);
    cudaDeviceSynchronize();
    __syncthreads();
    if (cells[63 - threadIdx.x] != mark + 63 - (int)threadIdx.x) {
        atomicAdd(&wrong, 1);
    }
}
int main()
{
    parent<<<10, 64>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
