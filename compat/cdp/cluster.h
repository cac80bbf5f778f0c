/* The intrinsics of thread block clusters, for sm_90 and later. Functions without a body are defined
 * by the runtime. */
#ifndef __CDP_CLUSTER_H
#define __CDP_CLUSTER_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

#define __CDP_CLUSTER_HERE 1

__CDP_DEVICE_ABI __attribute__((__convergent__)) void __cluster_barrier_arrive(void);
__CDP_DEVICE_ABI __attribute__((__convergent__)) void __cluster_barrier_wait(void);
__CDP_DEVICE_ABI void *__cluster_map_shared_rank(const void *__ptr, unsigned int __rank);
__CDP_DEVICE_ABI unsigned int __cluster_query_shared_rank(const void *__ptr);
__CDP_DEVICE_ABI unsigned int __isClusterShared(const void *__ptr);
__CDP_DEVICE_ABI unsigned int __cdp_cluster_read(unsigned int __what);

/* The arrival orders memory, too: that is more than relaxed asks for. */
__CDP_PART_INLINE void __cluster_barrier_arrive_relaxed(void)
{
    __cluster_barrier_arrive();
}
__CDP_PART_INLINE void __threadfence_cluster(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* The numbers of enum cdp_abi_cluster, for the axis x. */
#define __CDP_CLUSTER_READ(name, what)                                                             \
    __CDP_PART_INLINE dim3 name(void)                                                              \
    {                                                                                              \
        return dim3(__cdp_cluster_read(what), __cdp_cluster_read(what + 1),                        \
                    __cdp_cluster_read(what + 2));                                                 \
    }
__CDP_CLUSTER_READ(__clusterDim, 0)
__CDP_CLUSTER_READ(__clusterRelativeBlockIdx, 4)
__CDP_CLUSTER_READ(__clusterIdx, 8)
__CDP_CLUSTER_READ(__clusterGridDimInClusters, 12)
#undef __CDP_CLUSTER_READ
__CDP_PART_INLINE unsigned int __clusterDimIsSpecified(void)
{
    return __cdp_cluster_read(16);
}
__CDP_PART_INLINE unsigned int __clusterSizeInBlocks(void)
{
    const dim3 __dim = __clusterDim();
    return __dim.x * __dim.y * __dim.z;
}
__CDP_PART_INLINE unsigned int __clusterRelativeBlockRank(void)
{
    const dim3 __dim = __clusterDim(), __at = __clusterRelativeBlockIdx();
    return (__at.z * __dim.y + __at.y) * __dim.x + __at.x;
}

#endif
#endif
