// All threads of a block share one NULL stream: their children run one at a time, and each thread's
// children in launch order.
#include "show.h"
#define BLOCKS 8
#define THREADS 32
__device__ int running[BLOCKS], overlaps, disorders, runs, last[BLOCKS * THREADS];
__global__ void child(int block, int thread, int turn) {
    if (atomicAdd(&running[block], 1) != 0) {
        atomicAdd(&overlaps, 1);
    }
    if (last[thread] != turn) {
        atomicAdd(&disorders, 1);
    }
    last[thread] = turn + 1;
    atomicAdd(&runs, 1);
    __threadfence();
    atomicSub(&running[block], 1);
}
__global__ void parent() {
    for (int turn = 0; turn < 10; turn++) {
        child<<<1, 1>>>(blockIdx.x, blockIdx.x * THREADS + threadIdx.x, turn);
    }
}
int main() {
    parent<<<BLOCKS, THREADS>>>();
    MUST(cudaDeviceSynchronize());
    int result[3];
    MUST(cudaMemcpyFromSymbol(&result[0], overlaps, sizeof(int)));
    MUST(cudaMemcpyFromSymbol(&result[1], disorders, sizeof(int)));
    MUST(cudaMemcpyFromSymbol(&result[2], runs, sizeof(int)));
    printf("%d overlaps, %d out of order, %d runs\n", result[0], result[1], result[2]);
}
