// cdpcc: --check=sync
// stderr: sync: mask 0xffffffff of __shfl_down_sync names lanes 16-31, which ended without executing it
// stderr: --> check_sync_masks.cu:17:14, in kernel ended, block \(0,0,0\), thread \(0,0,0\)
// stderr: help: let the mask name only lanes that execute the call: take it by __ballot_sync
// stderr: sync: lane 4 reads from lane 20 in __shfl_down_sync, but lane 20 does not execute it: the value is undefined
// stderr: --> check_sync_masks.cu:23:10, in kernel absent, block \(0,0,0\), thread \(4,0,0\)
// stderr: sync: lane 7 reads from lane 8 in __shfl_sync, but lane 8 does not execute it
// stderr: sync: mask 0x00000001 of a vote does not name the calling lane 1
// stderr: sync: mask 0x0000000e of __syncwarp does not name the calling lane 0
// stderr: 5 findings
// Masks that name lanes that have ended, or not the calling lane, and reads from lanes that do not
// take part. The program continues.
#include "show.h"
__global__ void ended(int *a) {
    int t = threadIdx.x, v = t;
    if (t < 16) {
        v += __shfl_down_sync(0xffffffff, v, 1);
    }
    a[t] = v;
}
__global__ void absent(int *a) {
    int v = threadIdx.x;
    v += __shfl_down_sync(0xffffffff, v, 16);
    a[threadIdx.x] = v;
}
__global__ void outside(int *a) {
    int t = threadIdx.x, v = t;
    if (t < 8) {
        v = __shfl_sync(0xff, v, t + 1);
    }
    a[t] = v;
}
__global__ void unnamed(int *a) {
    a[threadIdx.x] = __ballot_sync(1, 1);
    if (threadIdx.x < 4) {
        __syncwarp(threadIdx.x == 0 ? 14 : 15);
    }
}
int main() {
    int *a;
    MUST(cudaMallocManaged(&a, 128));
    ended<<<1, 32>>>(a);
    MUST(cudaDeviceSynchronize());
    printf("%d %d\n", a[0], a[14]);
    absent<<<1, 20>>>(a);
    MUST(cudaDeviceSynchronize());
    printf("%d %d\n", a[3], a[19]);
    outside<<<1, 32>>>(a);
    MUST(cudaDeviceSynchronize());
    printf("%d %d\n", a[0], a[6]);
    unnamed<<<1, 32>>>(a);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", a[0]);
}
