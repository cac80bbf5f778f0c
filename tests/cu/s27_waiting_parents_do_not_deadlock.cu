// 64 blocks of 64 threads all wait, at each of four levels.
#include "show.h"
__device__ int leaves, wrong;
__global__ void level(int depth) {
    if (depth == 0) {
        atomicAdd(&leaves, 1);
        return;
    }
    level<<<1, 2>>>(depth - 1);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        atomicAdd(&wrong, 1);
    }
    __syncthreads();
}
int main() {
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 5));
    level<<<64, 64>>>(4);
    MUST(cudaDeviceSynchronize());
    int result[2];
    MUST(cudaMemcpyFromSymbol(&result[0], leaves, sizeof(int)));
    MUST(cudaMemcpyFromSymbol(&result[1], wrong, sizeof(int)));
    printf("%d leaves, %d wrong\n", result[0], result[1]);
}
