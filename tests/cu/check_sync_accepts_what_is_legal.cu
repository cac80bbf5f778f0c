// cdpcc: --check=sync
// Branches that a whole block takes, returns after the last barrier, full masks in a block that does
// not fill its last warp, masks by ballots, segments of shuffles, groups of cooperative groups.
#include <cooperative_groups.h>
#include "show.h"
namespace cg = cooperative_groups;
__device__ void barrier() { __syncthreads(); }
__global__ void blocks(int *sum, int n) {
    if (blockIdx.x % 2 == 0) {
        __syncthreads();
    } else {
        barrier();
    }
    for (int i = 0; i < n + blockIdx.x; i++) {
        __syncthreads();
    }
    if (threadIdx.x >= 32) {
        return;
    }
    __syncwarp();
    atomicAdd(sum, 1);
}
__global__ void warps(int *sum) {
    int t = threadIdx.x, v = 1;
    __syncwarp();
    unsigned mask = __ballot_sync(0xffffffff, t < 12);
    if (t < 12) {
        v = __shfl_sync(mask, v, 3) + __reduce_add_sync(mask, 1);
    }
    unsigned active = __activemask();
    v += __popc(__match_any_sync(active, t % 2));
    v += __shfl_up_sync(0xffffffff, v, 1, 4);
    v += __shfl_down_sync(0xffffffff, v, 2, 4);
    v += __any_sync(0xffffffff, t == 3);
    atomicAdd(sum, v);
    if (t < 5) {
        cg::coalesced_group group = cg::coalesced_threads();
        group.sync();
        atomicAdd(sum, group.shfl(t, 0));
    }
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    atomicAdd(sum, tile.shfl_down(v, 1) * 0);
    cg::this_thread_block().sync();
}
int main() {
    int *sum;
    MUST(cudaMallocManaged(&sum, 4));
    *sum = 0;
    blocks<<<4, 100>>>(sum, 3);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *sum);
    warps<<<2, 20>>>(sum);
    MUST(cudaDeviceSynchronize());
    printf("%s\n", *sum > 128 ? "more" : "less");
}
