// A block whose threads wait for a child gives way after as few polls with 1024 threads as with 32,
// and sooner when it waits again.  One worker: the child starts only when the block gives way.
// workers: 1
#include "show.h"
__device__ volatile int flag;
__device__ unsigned long long polls;
__global__ void child(int i) { flag = i; }
__global__ void waits(int rounds) {
    unsigned long long mine = 0;
    for (int i = 1; i <= rounds; i++) {
        if (threadIdx.x == 0) {
            child<<<1, 1>>>(i);
        }
        while (flag < i) {
            mine++;
        }
        __syncthreads();
    }
    atomicAdd(&polls, mine);
}
int main() {
    const int rounds = 100, enough = 4096;
    for (int threads : {32, 1024}) {
        unsigned long long none = 0, all;
        int zero = 0;
        MUST(cudaMemcpyToSymbol(flag, &zero, sizeof zero));
        MUST(cudaMemcpyToSymbol(polls, &none, sizeof none));
        waits<<<1, threads>>>(rounds);
        MUST(cudaDeviceSynchronize());
        MUST(cudaMemcpyFromSymbol(&all, polls, sizeof all));
        printf("%d threads: %s\n", threads, all <= (unsigned long long)rounds * enough ? "few" : "many");
    }
}
