// The leader's value, uninitialized in the other lanes, passed through wrappers and shuffles.
#include <cooperative_groups.h>

#include "show.h"
namespace cg = cooperative_groups;
__device__ unsigned used, claims, sum;
__device__ __noinline__ unsigned from_leader(unsigned value, int leader)
{
    return __shfl_sync(~0u, value, leader);
}
__global__ void claim()
{
    unsigned lane = threadIdx.x & (warpSize - 1);
    unsigned start;
    if (lane == 0) {
        start = atomicAdd(&used, 32);
        atomicAdd(&claims, 1);
    }
    start = from_leader(start, 0);
    atomicAdd(&sum, start + lane);
}
__global__ void claim_by_group()
{
    unsigned lane = threadIdx.x & (warpSize - 1);
    cg::coalesced_group active = cg::coalesced_threads();
    unsigned start;
    if (lane == 0) {
        start = atomicAdd(&used, 32);
        atomicAdd(&claims, 1);
    }
    start = active.shfl((int)start, 0);
    atomicAdd(&sum, start + lane);
}
int main()
{
    claim<<<2, 64>>>();
    claim_by_group<<<2, 64>>>();
    unsigned result[3];
    MUST(cudaMemcpyFromSymbol(&result[0], used, sizeof(unsigned)));
    MUST(cudaMemcpyFromSymbol(&result[1], claims, sizeof(unsigned)));
    MUST(cudaMemcpyFromSymbol(&result[2], sum, sizeof(unsigned)));
    printf("%u used by %u claims, sum %u\n", result[0], result[1], result[2]);
}
