// races: volatile accesses order nothing in C++
// A thread that polls a volatile flag yields to the thread that will set it.
#include "show.h"
__device__ volatile int flags[64];
__global__ void within(int *order) {
    __shared__ volatile int turn;
    if (threadIdx.x == 0) {
        turn = 63;
    }
    __syncthreads();
    // The last thread begins, so the natural order cannot help.
    while (turn != (int)threadIdx.x) {
    }
    order[63 - threadIdx.x] = threadIdx.x;
    turn = threadIdx.x - 1;
}
__global__ void between() {
    // Block 0 waits for a write of the last block.
    if (blockIdx.x < gridDim.x - 1) {
        while (flags[blockIdx.x + 1] == 0) {
        }
    }
    flags[blockIdx.x] = 1;
}
int main() {
    int *order;
    MUST(cudaMallocManaged(&order, 64 * sizeof(int)));
    within<<<1, 64>>>(order);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
        if (order[i] != 63 - i) {
            printf("place %d: %d\n", i, order[i]);
        }
    }
    between<<<16, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
