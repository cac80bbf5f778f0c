// cdpcc: -g
// env: CDP_TIMEOUT=1
// races: blocks write one variable, and signals are not for its endless loops
// stderr: ^cdp: no launch has completed for 1 s \(CDP_TIMEOUT\); the states of the threads:$
// stderr: in kernel child, block \(0,0,0\), of 64 threads:$
// stderr: thread [0-9]+: runs at child \(.*:(16|17|18):
// stderr: threads? [-0-9]+(, [-0-9]+){0,2}: wait in __syncthreads\(\) at child \(.*:21:.*\), for thread [0-9]+$
// stderr: threads [-0-9, ]+( \.\.\. \(60 in all\))?: have not started
// stderr: ^cdp: cudaErrorLaunchTimeout: the launch did not complete within 1 s
#include "show.h"
// An endless loop, a thread that polls, others that wait for them, and a child. Three threads have
// reached the barrier when the fourth, in any order, begins to loop.
__device__ int sink, started[2];
__global__ void child(int parent, int n) {
    if (atomicAdd(&started[parent], 1) == 3) {
        while (n != 0) { // line 16
            n = n * 3 | 1;
            sink = clock() != 0 ? n : 1;
        }
    }
    __syncthreads(); // line 21
}
__global__ void parent(int *flag) {
    if (threadIdx.x == 0) {
        child<<<1, 64>>>(blockIdx.x, 1);
        cudaDeviceSynchronize();
    } else if (threadIdx.x == 1) {
        while (*(volatile int *)flag == 0) {
        }
    } else {
        __syncthreads();
    }
}
__global__ void fine(int *flag) { *flag = 7; }
int main() {
    int *flag;
    MUST(cudaMallocManaged(&flag, sizeof(int)));
    parent<<<2, 8>>>(flag);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceReset());
    MUST(cudaMallocManaged(&flag, sizeof(int)));
    fine<<<1, 1>>>(flag);
    SHOW(cudaDeviceSynchronize());
    printf("%d\n", *flag);
}
