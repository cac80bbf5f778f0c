// cdpcc: --check=sync
// stderr: sync: thread \(0,0,0\) waits at __syncthreads\(\) although thread 128 of its block ended before it
// stderr: --> check_sync_barrier_in_a_branch.cu:18:9, in kernel half, block \(0,0,0\), thread \(0,0,0\)
// stderr: 18 \|         __syncthreads
// stderr: launched: half by the host at check_sync_barrier_in_a_branch.cu:36:
// stderr: help: let all threads of the block come to the barrier
// stderr: sync: thread \(8,0,0\) waits at __syncthreads\(\) although threads 0-7 of its block ended
// stderr: --> check_sync_barrier_in_a_branch.cu:27:5, in kernel early, block \(0,0,0\), thread \(8,0,0\)
// stderr: 2 findings
// Part of a block comes to a barrier, and the others end, after the first ones wait or before the
// last ones come. The program continues.
#include "show.h"
__global__ void half(int *a) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 128) {
        __syncthreads();
        a[t] = s[255 - t];
    }
}
__global__ void early(int *a) {
    int t = threadIdx.x;
    if (t < 8) {
        return;
    }
    __syncthreads();
    a[t] = t;
    __syncthreads(); // not reported again
}
int main() {
    int *a;
    MUST(cudaMallocManaged(&a, 256 * 4));
    for (int i = 0; i < 2; i++) {
        half
            <<<1, 256>>>(a);
        early<<<1, 64>>>(a);
        MUST(cudaDeviceSynchronize());
    }
    printf("%d %d\n", a[3], a[40]);
}
