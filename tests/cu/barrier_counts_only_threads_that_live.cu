// Threads that have returned no longer count.
#include "show.h"
__device__ int order[4], next;
__global__ void kernel() {
    if (threadIdx.x >= 48) {
        return;
    }
    for (int turn = 0; turn < 4; turn++) {
        if (threadIdx.x % 4 == (unsigned)turn && threadIdx.x < 4) {
            order[next] = turn;
            next = next + 1;
        }
        __syncthreads();
    }
}
int main() {
    kernel<<<1, 64>>>();
    MUST(cudaDeviceSynchronize());
    int result[4];
    MUST(cudaMemcpyFromSymbol(result, order, sizeof(result)));
    printf("%d %d %d %d\n", result[0], result[1], result[2], result[3]);
}
