#include "show.h"
__device__ int wrong;
__global__ void child(int *values) { values[threadIdx.x] = threadIdx.x + 1; }
__global__ void parent(int *values) {
    if (threadIdx.x == 0) {
        child<<<1, 128>>>(values);
        cudaDeviceSynchronize();
    }
    __syncthreads();
    if (values[threadIdx.x] != (int)threadIdx.x + 1) {
        atomicAdd(&wrong, 1);
    }
}
int main() {
    int *values;
    MUST(cudaMalloc(&values, 128 * sizeof(int)));
    parent<<<1, 128>>>(values);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
