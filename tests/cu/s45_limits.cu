// Each limit is read and set by the host, and seen by kernels and their children.
#include "show.h"
__global__ void tell() {
    size_t stack = 0, fifo = 0, heap = 0, depth = 0, pending = 0;
    cudaDeviceGetLimit(&stack, cudaLimitStackSize);
    cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize);
    cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
    cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth);
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    printf("%d %d %d %d %d\n", (int)stack, (int)fifo, (int)heap, (int)depth, (int)pending);
}
__global__ void parent() { tell<<<1, 1>>>(); }
static int tellOnHost() {
    size_t stack, fifo, heap, depth, pending;
    MUST(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    MUST(cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize));
    MUST(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    MUST(cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth));
    MUST(cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
    printf("%zu %zu %zu %zu %zu\n", stack, fifo, heap, depth, pending);
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    return 0;
}
int main() {
    if (tellOnHost() != 0) {
        return 1;
    }
    SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    SHOW(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24));
    SHOW(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 7));
    SHOW(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100000));
    if (tellOnHost() != 0) {
        return 1;
    }
    size_t value = 77;
    SHOW(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 30));
    SHOW(cudaDeviceSetLimit((cudaLimit)99, 1));
    SHOW(cudaDeviceGetLimit(&value, (cudaLimit)99));
    SHOW(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1)); // as on an H100, 4 MiB are the least
    return tellOnHost();
}
