// cdpcc: --check=race
// races: ThreadSanitizer does not know that a volatile flag orders
// Orders by fences and flags, none of which is a race: lane 0 publishes what its warp did before a
// __syncwarp(); a token that goes through many blocks; more flags than threads; many releases at a
// few addresses.
#include "show.h"

enum { WARPS = 8, CHAIN = 40, FLAGS = 5000, COUNTERS = 4 };
__device__ int data[WARPS * 32], sum, token, last, values[FLAGS];
__device__ unsigned arrived, counters[COUNTERS];
__device__ volatile int passed[CHAIN], flags[FLAGS];

__global__ void publish()
{
    int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    bool isLast = false;
    data[warp * 32 + lane] = lane;
    __syncwarp();
    if (lane == 0) {
        __threadfence();
        isLast = atomicAdd(&arrived, 1) == WARPS - 1;
        __threadfence();
    }
    if (isLast) {
        for (int i = 0; i < WARPS * 32; i++) {
            sum += data[i];
        }
    }
}
__global__ void chain()
{
    int block = blockIdx.x;
    if (block == 0) {
        token = 42;
    } else {
        while (passed[block - 1] == 0) {
        }
        __threadfence();
    }
    if (block == CHAIN - 1) {
        last = token;
    }
    __threadfence();
    passed[block] = 1;
}
__global__ void manyFlags()
{
    int block = blockIdx.x, before = 0;
    if (block > 0) {
        while (flags[block - 1] == 0) {
        }
        __threadfence();
        before = values[block - 1];
    }
    values[block] = before + 1;
    __threadfence();
    flags[block] = 1;
}
__global__ void manyReleases(int *own)
{
    for (int round = 0; round < 16; round++) {
        own[blockIdx.x] += round;
        __threadfence();
        atomicAdd(&counters[(blockIdx.x + round) % COUNTERS], 1);
    }
    /* The last one to arrive is after all. */
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
        __threadfence();
        for (unsigned i = 1; i < gridDim.x; i++) {
            own[0] += own[i];
        }
    }
}

int main()
{
    int value, *own;
    unsigned zero = 0;
    publish<<<WARPS / 2, 64>>>();
    MUST(cudaMemcpyFromSymbol(&value, sum, sizeof value));
    printf("publish: %d\n", value);
    chain<<<CHAIN, 1>>>();
    MUST(cudaMemcpyFromSymbol(&value, last, sizeof value));
    printf("chain: %d\n", value);
    manyFlags<<<FLAGS, 1>>>();
    MUST(cudaMemcpyFromSymbol(&value, values, sizeof value, (FLAGS - 1) * sizeof value));
    printf("many flags: %d\n", value);
    MUST(cudaMemcpyToSymbol(arrived, &zero, sizeof zero));
    MUST(cudaMallocManaged(&own, 16 * sizeof *own));
    MUST(cudaMemset(own, 0, 16 * sizeof *own));
    manyReleases<<<16, 1>>>(own);
    MUST(cudaDeviceSynchronize());
    printf("many releases: %d\n", own[0]);
    cudaFree(own);
}
