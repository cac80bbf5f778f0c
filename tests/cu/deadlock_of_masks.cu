// cdpcc: -g
// stderr: ^cdp: cudaErrorLaunchFailure: deadlock
// stderr: in kernel votes, block \(0,0,0\), of 64 threads
// stderr: threads \(0,0,0\)-\(7,0,0\): wait in a vote \(mask 0x0000ffff\) at votes \(.*:13:.*\), for threads \(0,1,0\)-\(7,1,0\)$
// stderr: threads \(0,1,0\)-\(7,1,0\): wait in __syncwarp \(mask 0x00ffff00\) at votes \(.*:15:.*\), for threads \(0,2,0\)-\(7,2,0\)$
// stderr: threads \(0,2,0\)-\(7,2,0\): wait in __match_any_sync \(mask 0x00ff0001\) at votes \(.*:17:.*\), for thread \(0,0,0\)$
// stderr: threads \(0,3,0\)-\(7,7,0\): have ended
// stderr: let masks name only lanes that come to the same warp operation
#include "show.h"
__global__ void votes(int *out) {
    int line = threadIdx.y;
    if (line == 0) {
        *out = __any_sync(0x0000ffff, threadIdx.x); // line 13
    } else if (line == 1) {
        __syncwarp(0x00ffff00); // line 15
    } else if (line == 2) {
        *out = __match_any_sync(0x00ff0001, threadIdx.x); // line 17
    }
}
// Lanes that have ended are not waited for.
__global__ void fine(int *out) {
    if (threadIdx.y < 2 && threadIdx.x < 6) {
        *out = __ballot_sync(0xffffffff, 1) + __reduce_add_sync(0xffffffff, 1);
    }
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    votes<<<1, dim3(8, 8)>>>(out);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    MUST(cudaMallocManaged(&out, sizeof(int)));
    fine<<<1, dim3(8, 8)>>>(out);
    SHOW(cudaDeviceSynchronize());
    printf("%x\n", *out);
}
