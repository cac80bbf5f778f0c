/* The C++ forms of occupancy_api.h. Included by api_cxx.h. */
#ifndef __CDP_OCCUPANCY_CXX_H
#define __CDP_OCCUPANCY_CXX_H

template <class __T>
__CDP_BOTH __CDP_WRAPPER cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks,
                                                                                   __T __func,
                                                                                   int __block_size,
                                                                                   size_t __shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(__blocks, (const void *)__func,
                                                         __block_size, __shared);
}
template <class __T>
__CDP_BOTH __CDP_WRAPPER cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *__blocks, __T __func, int __block_size, size_t __shared, unsigned int __flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(__blocks, (const void *)__func,
                                                                  __block_size, __shared, __flags);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, __T *__func,
                                                         const cudaLaunchConfig_t *__config)
{
    return cudaOccupancyMaxActiveClusters(__clusters, (const void *)__func, __config);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaOccupancyMaxPotentialClusterSize(int *__size, __T *__func,
                                                               const cudaLaunchConfig_t *__config)
{
    return cudaOccupancyMaxPotentialClusterSize(__size, (const void *)__func, __config);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__shared, __T *__func,
                                                                    int __blocks, int __block_size)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(__shared, (const void *)__func, __blocks,
                                                     __block_size);
}
template <class __T>
__CDP_BOTH __CDP_WRAPPER cudaError_t cudaOccupancyMaxPotentialBlockSize(
    int *__grid, int *__block_dim, __T __func, size_t __shared = 0, int __limit = 0)
{
    return __cdp_occupancy(__grid, __block_dim, (const void *)__func, __shared, __limit);
}
template <class __T>
__CDP_BOTH __CDP_WRAPPER cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *__grid, int *__block_dim, __T __func,
                                            size_t __shared = 0, int __limit = 0, unsigned int = 0)
{
    return __cdp_occupancy(__grid, __block_dim, (const void *)__func, __shared, __limit);
}
/* Shared memory is never scarce on these processors, so the query may use any size. */
template <class __S, class __T>
__CDP_BOTH __CDP_WRAPPER cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *__grid, int *__block_dim, __T __func, __S __shared_of_block, int __limit = 0)
{
    return __cdp_occupancy(__grid, __block_dim, (const void *)__func, __shared_of_block(256),
                           __limit);
}

#endif
