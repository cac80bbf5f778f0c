// A launch of one thread before a barrier runs before a launch of another thread after it.
#include "show.h"
__device__ int turns[64];
__device__ int next;
__global__ void child(int turn) { turns[next++] = turn; }
__global__ void parent() {
    for (int turn = 0; turn < 64; turn++) {
        if (threadIdx.x == (turn * 7) % 64) {
            child<<<1, 1>>>(turn);
        }
        __syncthreads();
    }
}
int main() {
    parent<<<1, 64>>>();
    MUST(cudaDeviceSynchronize());
    int result[64];
    MUST(cudaMemcpyFromSymbol(result, turns, sizeof(result)));
    for (int i = 0; i < 64; i++) {
        if (result[i] != i) {
            printf("turn %d is %d\n", i, result[i]);
            return 1;
        }
    }
    printf("in order\n");
}
