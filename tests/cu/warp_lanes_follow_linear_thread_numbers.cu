// In a block of 8 x 8 threads a warp is four rows.
#include "show.h"
__device__ int wrong;
__global__ void kernel() {
    unsigned linear = threadIdx.x + 8 * threadIdx.y;
    unsigned first = __shfl_sync(0xffffffff, linear, 0);
    if (first != linear / 32 * 32) {
        atomicAdd(&wrong, 1);
    }
}
int main() {
    kernel<<<1, dim3(8, 8)>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
