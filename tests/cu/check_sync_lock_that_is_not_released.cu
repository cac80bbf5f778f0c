// cdpcc: --check=sync
// env: CDP_TIMEOUT=1 CDP_CHECK_EXIT=3
// exit: 3
// stderr: sync: the launch does not complete: its threads still run or wait
// stderr: --> check_sync_lock_that_is_not_released.cu:12:[0-9]+, in kernel kernel, block \(0,0,0\), thread \(4,0,0\)
// stderr: help: look for a lock that some thread does not release
// stderr: 1 finding
// One path returns without giving the lock back.
#include "show.h"
__device__ int lock;
__global__ void kernel(int *a) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    *a += 1;
    if (threadIdx.x == 3) {
        return;
    }
    atomicExch(&lock, 0);
}
int main() {
    int *a;
    MUST(cudaMallocManaged(&a, 4));
    *a = 0;
    kernel<<<1, 64>>>(a);
    SHOW(cudaDeviceSynchronize());
}
