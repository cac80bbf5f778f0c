// workers: 1 2 8
// Where a block is in its cluster, and its cluster in the grid: by the group and by intrinsics. An
// H100 printed the same.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

struct place {
    unsigned rank, blocks, thread, threads, other, other_rank, own_rank, cluster, clusters, in_grid;
    uint3 index, dim, thread_index, threads_dim, cluster_index, grid, relative;
    bool is_shared, is_other_shared, is_cluster_shared, is_other_cluster_shared, is_specified;
};
__managed__ place places[32];

__device__ void look()
{
    __shared__ unsigned rank;
    cg::cluster_group cluster = cg::this_cluster();
    rank = cluster.block_rank();
    cluster.sync();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    unsigned *other = cluster.map_shared_rank(&rank, next);
    if (threadIdx.x == 1) {
        cg::grid_group grid = cg::this_grid();
        place p = {cluster.block_rank(),
                   cluster.num_blocks(),
                   cluster.thread_rank(),
                   cluster.num_threads(),
                   *other,
                   cluster.query_shared_rank(other),
                   cluster.query_shared_rank(&rank),
                   (unsigned)grid.cluster_rank(),
                   (unsigned)grid.num_clusters(),
                   __clusterSizeInBlocks(),
                   cluster.block_index(),
                   cluster.dim_blocks(),
                   cluster.thread_index(),
                   cluster.dim_threads(),
                   __clusterIdx(),
                   __clusterGridDimInClusters(),
                   __clusterRelativeBlockIdx(),
                   __isShared(&rank) != 0,
                   __isShared(other) != 0,
                   __isClusterShared(&rank) != 0,
                   __isClusterShared(other) != 0,
                   __clusterDimIsSpecified() != 0};
        places[grid.block_rank()] = p;
    }
    cluster.sync();
}

__global__ void plain()
{
    look();
}
__global__ void __cluster_dims__(2) fixed()
{
    look();
}
template <int width> __global__ void __cluster_dims__(width, 2, 1) parametrized()
{
    look();
}

static void print(const char *name, unsigned blocks)
{
    printf("%s: %s\n", name, cudaGetErrorString(cudaDeviceSynchronize()));
    for (unsigned i = 0; i < blocks; i++) {
        const place &p = places[i];
        printf(
            "%u: %u/%u thread %u/%u other %u %u %u cluster %u/%u of %u index %u %u %u dim %u %u %u "
            "thread %u %u %u of %u %u %u cluster %u %u %u of %u %u %u relative %u %u %u "
            "%d%d%d%d%d\n",
            i, p.rank, p.blocks, p.thread, p.threads, p.other, p.other_rank, p.own_rank, p.cluster,
            p.clusters, p.in_grid, p.index.x, p.index.y, p.index.z, p.dim.x, p.dim.y, p.dim.z,
            p.thread_index.x, p.thread_index.y, p.thread_index.z, p.threads_dim.x, p.threads_dim.y,
            p.threads_dim.z, p.cluster_index.x, p.cluster_index.y, p.cluster_index.z, p.grid.x,
            p.grid.y, p.grid.z, p.relative.x, p.relative.y, p.relative.z, p.is_shared,
            p.is_other_shared, p.is_cluster_shared, p.is_other_cluster_shared, p.is_specified);
    }
}

static void launch(dim3 grid, dim3 cluster)
{
    cudaLaunchAttribute attr = {};
    attr.id = cudaLaunchAttributeClusterDimension;
    attr.val.clusterDim.x = cluster.x;
    attr.val.clusterDim.y = cluster.y;
    attr.val.clusterDim.z = cluster.z;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = 32;
    config.attrs = &attr;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, plain);
}

int main()
{
    plain<<<2, 32>>>();
    print("no cluster", 2);
    fixed<<<4, 32>>>();
    print("fixed", 4);
    parametrized<3><<<dim3(3, 4), 32>>>();
    print("of a template", 12);
    launch(dim3(4, 4), dim3(4, 2));
    print("4 x 2", 16);
    launch(dim3(2, 2, 4), dim3(1, 2, 2));
    print("1 x 2 x 2", 16);
    launch(4, dim3(1, 1, 1));
    print("1", 4);
    launch(4, dim3(0, 0, 0));
    print("0", 4);
}
