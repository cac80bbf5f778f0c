// cdpcc: --check=sync
// env: CDP_CHECK_EXIT=3
// exit: 3
// stderr: sync: lane 1 executes __shfl_xor_sync with mask 0x00000003 while lane 0 waits for it in __shfl_xor_sync with mask 0x0000000f
// stderr: --> check_sync_lanes_wait_for_each_other.cu:19:13, in kernel kernel, block \(0,0,0\), thread \(1,0,0\)
// stderr: --> check_sync_lanes_wait_for_each_other.cu:17:13, the other operation, in kernel kernel, block \(0,0,0\), thread \(0,0,0\)
// stderr: help: let all lanes of a mask execute the same warp operation with the same mask
// stderr: sync: the block's threads wait for each other
// stderr: sync: .*cudaErrorLaunchFailure
// stderr: deadlock
// Different masks in one operation: on a GPU the result is undefined, here the lanes wait for each
// other. The deadlock is a finding, too.
#include "show.h"
__global__ void kernel(int *a) {
    int t = threadIdx.x, v = t;
    if (t == 0) {
        v = __shfl_xor_sync(0xf, v, 1);
    } else {
        v = __shfl_xor_sync(0x3, v, 1);
    }
    a[t] = v;
}
int main() {
    int *a;
    MUST(cudaMallocManaged(&a, 128));
    kernel<<<1, 2>>>(a);
    SHOW(cudaDeviceSynchronize());
}
