// Pending launches.
// ask: 2000 2100 5000 raised
#include "ask.h"
#include <cstdlib>
__device__ int runs;
__global__ void nop()
{
    atomicAdd(&runs, 1);
}
__global__ void launch(int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) {
        nop<<<1, 1>>>();
        bad += cudaGetLastError() != cudaSuccess;
    }
    NUMBER("failed", bad);
}
int main(int argc, char **argv)
{
    begin();
    if (ASKED("raised")) {
        size_t z = 0;
        TELL("set 8192", cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192));
        TELL("get it", cudaDeviceGetLimit(&z, cudaLimitDevRuntimePendingLaunchCount));
        NUMBER("limit", z);
        launch<<<1, 1>>>(5000);
        TELL("host synchronizes first", cudaDeviceSynchronize());
        TELL("set 16384", cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 16384));
        TELL("set heap", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26));
    } else {
        launch<<<1, 1>>>(atoi(argv[1]));
    }
    TELL("host synchronizes", cudaDeviceSynchronize());
    int result = 0;
    cudaMemcpyFromSymbol(&result, runs, sizeof(result));
    NUMBER("ran", result);
}
