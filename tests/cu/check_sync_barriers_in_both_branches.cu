// cdpcc: --check=sync
// stderr: sync: thread \(0,0,0\) and thread \(32,0,0\) of one block wait at different __syncthreads\(\)
// stderr: --> check_sync_barriers_in_both_branches.cu:15:9, in kernel warps, block \(0,0,0\), thread \(0,0,0\)
// stderr: --> check_sync_barriers_in_both_branches.cu:18:9, the other barrier, in kernel warps, block \(0,0,0\), thread \(32,0,0\)
// stderr: help: let all threads of the block come to the same __syncthreads
// stderr: sync: thread \(1,0,0\) and thread \(0,0,0\) of one block wait at different __syncthreads
// stderr: check_sync_barriers_in_both_branches.cu:32:9, in kernel loops, block \(0,0,0\), thread \(1,0,0\)
// stderr: check_sync_barriers_in_both_branches.cu:34:5, the other barrier, in kernel loops
// stderr: sync: thread \(1,0,0\) waits at __syncthreads\(\) although thread 0 of its block ended
// stderr: 4 findings
// Whole warps, single lanes of a warp, and loops that differ in their lengths.
#include "show.h"
__global__ void warps(int *a) {
    if (threadIdx.x < 32) {
        __syncthreads();
        a[threadIdx.x] = 1;
    } else {
        __syncthreads();
        a[threadIdx.x] = 2;
    }
}
__global__ void lanes(int *a) {
    if (threadIdx.x % 2 == 1) {
        atomicAdd(a, 1 + 0 * __syncthreads_count(1));
    } else {
        atomicAdd(a, 2 + 0 * __syncthreads_or(1));
    }
}
__global__ void loops(int *a) {
    for (int i = 0; i <= threadIdx.x % 2; i++) {
        atomicAdd(a, 1);
        __syncthreads();
    }
    __syncthreads();
}
int main() {
    int *a;
    MUST(cudaMallocManaged(&a, 64 * 4));
    warps<<<1, 64>>>(a);
    MUST(cudaDeviceSynchronize());
    printf("%d %d\n", a[0], a[63]);
    a[0] = 0;
    lanes<<<1, 64>>>(a);
    MUST(cudaDeviceSynchronize());
    loops<<<1, 2>>>(a);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", a[0]);
}
