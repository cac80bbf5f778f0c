// Tutorial: the limits of nesting are read and raised. The text gives the first line of results.
#include <stdio.h>

int main()
{
    size_t depth, pending;
    cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth);
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    printf("sync depth %zu, pending launches %zu\n", depth, pending);

    cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4);
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096);
    cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth);
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    printf("sync depth %zu, pending launches %zu\n", depth, pending);
}
