// workers: 1 2
/* A grid of many clusters. With one worker the blocks that wait at the barrier of their cluster end
 * before the blocks of other clusters start: only so there are stacks for all of them. */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { CLUSTERS = 2500, CLUSTER = 8, THREADS = 64 };

__device__ int right;

__global__ void __cluster_dims__(CLUSTER) exchange()
{
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        mine = (int)blockIdx.x;
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        unsigned next = (cluster.block_rank() + 1) % CLUSTER;
        unsigned first = blockIdx.x / CLUSTER * CLUSTER;
        atomicAdd(&right, *cluster.map_shared_rank(&mine, next) == (int)(first + next));
    }
    cluster.sync();
}

__global__ void parent()
{
    exchange<<<CLUSTERS * CLUSTER, THREADS>>>();
}

int main()
{
    exchange<<<CLUSTERS * CLUSTER, THREADS>>>();
    parent<<<1, 1>>>();
    cudaError_t code = cudaDeviceSynchronize();
    int blocks = 0;
    cudaMemcpyFromSymbol(&blocks, right, sizeof blocks);
    printf("%s\n%d blocks\n", cudaGetErrorName(code), blocks);
    return 0;
}
