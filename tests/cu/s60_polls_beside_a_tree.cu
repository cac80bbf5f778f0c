// Beside a block that polls, a worker runs a tree of tiny grids: it does not poll for longer than the
// tree takes.
// workers: 1
// env: CDP_SEED=0
#include "show.h"
__device__ volatile int flag;
__device__ unsigned long long polls;
__global__ void tree(int depth) {
    if (depth > 0) {
        tree<<<1, 1>>>(depth - 1);
        tree<<<1, 1>>>(depth - 1);
    }
}
__global__ void ends() { flag = 1; }
__global__ void waits() {
    unsigned long long mine = 0;
    while (flag == 0) {
        mine++;
    }
    atomicAdd(&polls, mine);
}
int main() {
    cudaStream_t streams[2];
    MUST(cudaStreamCreate(&streams[0]));
    MUST(cudaStreamCreate(&streams[1]));
    waits<<<1, 256, 0, streams[0]>>>();
    tree<<<1, 1, 0, streams[1]>>>(14);
    ends<<<1, 1, 0, streams[1]>>>();
    MUST(cudaDeviceSynchronize());
    unsigned long long all;
    MUST(cudaMemcpyFromSymbol(&all, polls, sizeof all));
    // A turn of the polling block for each of the 32,767 grids would be 128 polls and more each.
    printf("polls: %s\n", all < 2000000 ? "few" : "many");
}
