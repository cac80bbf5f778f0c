// workers: 1
// env: CDP_LAUNCH_POOL=fixed
#include "show.h"
__device__ int runs;
__global__ void child() { atomicAdd(&runs, 1); }
__global__ void parent() {
    int failures = 0;
    cudaError_t last = cudaSuccess;
    for (int i = 0; i < 5000; i++) {
        child<<<1, 1>>>();
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess) {
            failures++;
            last = error;
        }
    }
    printf("%s\n", cudaGetErrorName(last));
    cudaDeviceSynchronize();
    printf("%d\n", runs + failures);
}
int main() {
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100));
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
