// The tutorial's look at the limits before nesting deeper, and raising them.
#include "show.h"
int main() {
    size_t depth = 0, pending = 0;
    MUST(cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth));
    MUST(cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
    printf("%zu levels may wait, %zu launches may pend\n", depth, pending);
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32768));
    MUST(cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth));
    MUST(cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
    printf("%zu levels may wait, %zu launches may pend\n", depth, pending);
}
