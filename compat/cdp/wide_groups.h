/* Cooperative groups of more than a block: grids and clusters. Included by cooperative_groups.h. */
#ifndef __CDP_WIDE_GROUPS_H
#define __CDP_WIDE_GROUPS_H

namespace cooperative_groups
{

class grid_group
{
    __CDP_MEMBER grid_group()
    {
    }
    friend __CDP_MEMBER inline grid_group this_grid();

  public:
    /* Whether the grid was launched by cudaLaunchCooperativeKernel. */
    __CDP_MEMBER static bool is_valid()
    {
        return __cdp_grid_is_cooperative() != 0;
    }
    /* A barrier of all threads of the grid. A launch that is not cooperative fails (719). */
    __CDP_MEMBER static void sync()
    {
        __syncthreads();
        if (__details::thread_rank() == 0) {
            __cdp_grid_wait();
        }
        __syncthreads();
    }
    __CDP_MEMBER static unsigned long long size()
    {
        return (unsigned long long)__details::__grid_blocks() * __details::__block_size();
    }
    __CDP_MEMBER static unsigned long long num_threads()
    {
        return size();
    }
    __CDP_MEMBER static unsigned long long thread_rank()
    {
        return (unsigned long long)__details::block_rank() * __details::__block_size() +
               __details::thread_rank();
    }
    __CDP_MEMBER static unsigned long long block_rank()
    {
        return __details::block_rank();
    }
    __CDP_MEMBER static unsigned long long num_blocks()
    {
        return __details::__grid_blocks();
    }
    __CDP_MEMBER static dim3 group_dim()
    {
        return gridDim;
    }
    __CDP_MEMBER static dim3 dim_blocks()
    {
        return gridDim;
    }
    __CDP_MEMBER static dim3 block_index()
    {
        return blockIdx;
    }
#ifdef __CDP_CLUSTER_HERE
    __CDP_MEMBER static dim3 dim_clusters()
    {
        return __clusterGridDimInClusters();
    }
    __CDP_MEMBER static unsigned long long num_clusters()
    {
        const dim3 __dim = __clusterGridDimInClusters();
        return (unsigned long long)__dim.x * __dim.y * __dim.z;
    }
    __CDP_MEMBER static dim3 cluster_index()
    {
        return __clusterIdx();
    }
    __CDP_MEMBER static unsigned long long cluster_rank()
    {
        const dim3 __dim = __clusterGridDimInClusters(), __at = __clusterIdx();
        return ((unsigned long long)__at.z * __dim.y + __at.y) * __dim.x + __at.x;
    }
#endif
};
__CDP_MEMBER inline grid_group this_grid()
{
    return grid_group();
}

#ifdef __CDP_CLUSTER_HERE
#define _CG_HAS_CLUSTER_GROUP

/* The blocks of a cluster. A block that was launched without clusters is a cluster by itself. */
class cluster_group : public thread_group
{
    __CDP_MEMBER cluster_group() : thread_group(__cluster_kind, 0, num_threads(), thread_rank())
    {
    }
    friend __CDP_MEMBER inline cluster_group this_cluster();

  public:
    struct arrival_token {
    };
    __CDP_MEMBER static void sync()
    {
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
    }
    __CDP_MEMBER static arrival_token barrier_arrive()
    {
        __cluster_barrier_arrive();
        return {};
    }
    __CDP_MEMBER static void barrier_wait()
    {
        __cluster_barrier_wait();
    }
    __CDP_MEMBER static void barrier_wait(arrival_token &&)
    {
        __cluster_barrier_wait();
    }
    __CDP_MEMBER static unsigned int query_shared_rank(const void *__address)
    {
        return __cluster_query_shared_rank(__address);
    }
    /* The same variable of the cluster's block of that rank. */
    template <class __T> __CDP_MEMBER static __T *map_shared_rank(__T *__address, int __rank)
    {
        return (__T *)__cluster_map_shared_rank((const void *)__address, (unsigned int)__rank);
    }
    __CDP_MEMBER static dim3 block_index()
    {
        return __clusterRelativeBlockIdx();
    }
    __CDP_MEMBER static unsigned int block_rank()
    {
        return __clusterRelativeBlockRank();
    }
    __CDP_MEMBER static dim3 thread_index()
    {
        const dim3 __at = __clusterRelativeBlockIdx();
        return dim3(__at.x * blockDim.x + threadIdx.x, __at.y * blockDim.y + threadIdx.y,
                    __at.z * blockDim.z + threadIdx.z);
    }
    __CDP_MEMBER static unsigned int thread_rank()
    {
        return __clusterRelativeBlockRank() * __details::__block_size() + __details::thread_rank();
    }
    __CDP_MEMBER static dim3 dim_blocks()
    {
        return __clusterDim();
    }
    __CDP_MEMBER static unsigned int num_blocks()
    {
        return __clusterSizeInBlocks();
    }
    __CDP_MEMBER static dim3 dim_threads()
    {
        const dim3 __dim = __clusterDim();
        return dim3(__dim.x * blockDim.x, __dim.y * blockDim.y, __dim.z * blockDim.z);
    }
    __CDP_MEMBER static unsigned int num_threads()
    {
        return __clusterSizeInBlocks() * __details::__block_size();
    }
    __CDP_MEMBER static unsigned int size()
    {
        return num_threads();
    }
};
__CDP_MEMBER inline cluster_group this_cluster()
{
    return cluster_group();
}
#endif

} // namespace cooperative_groups

#endif
