#include "show.h"
__device__ int wrong;
__global__ void child(const int *values, int turn)
{
    if (values[threadIdx.x] != turn * 1000 + (int)threadIdx.x) {
        atomicAdd(&wrong, 1);
    }
}
__global__ void parent(int *values)
{
    for (int turn = 0; turn < 5; turn++) {
        values[threadIdx.x] = turn * 1000 + threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 100) {
            child<<<1, 256>>>(values, turn);
            cudaDeviceSynchronize();
        }
        __syncthreads();
    }
}
int main()
{
    int *values;
    MUST(cudaMalloc(&values, 256 * sizeof(int)));
    parent<<<1, 256>>>(values);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
