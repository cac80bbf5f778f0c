// env: CDP_SEED=1
// A block of which one thread polls and the others wait at a barrier gives way as soon as a block of one
// thread would, also with a seed.
#include "show.h"
__device__ unsigned long long polls;
__global__ void chain(int *flags) {
    if (threadIdx.x == 0) {
        unsigned long long mine = 0;
        while (atomicAdd(&flags[blockIdx.x + 1], 0) == 0) {
            mine++;
        }
        atomicAdd(&polls, mine);
        atomicExch(&flags[blockIdx.x], 1);
    }
    __syncthreads();
}
int main() {
    enum { BLOCKS = 16 };
    int *flags;
    unsigned long long all;
    MUST(cudaMalloc(&flags, (BLOCKS + 1) * sizeof *flags));
    MUST(cudaMemset(flags, 0, (BLOCKS + 1) * sizeof *flags));
    MUST(cudaMemset(flags + BLOCKS, 1, sizeof *flags));
    chain<<<BLOCKS, 1024>>>(flags);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpyFromSymbol(&all, polls, sizeof all));
    // 8 polls in each turn of a block, after those while its threads start. If waiting threads counted,
    // there would be half a million.
    printf("polls: %s\n", all < 200000 ? "few" : "many");
}
