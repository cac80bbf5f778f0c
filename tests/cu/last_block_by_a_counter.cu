// The pattern of threadfence reductions: the block that arrives last adds up the others' results.
#include "show.h"
__device__ unsigned arrived;
__device__ volatile int partial[64];
__global__ void kernel(int *out) {
    __shared__ bool last;
    int sum = __syncthreads_count(threadIdx.x % 2 == 0) + blockIdx.x;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; i++) {
            total += partial[i];
        }
        *out = total;
    }
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    kernel<<<64, 100>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *out);
}
