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
/* The largest block of those with the most threads on a multiprocessor; 0 and 0 if none fits. */
template <class __S, class __T>
__CDP_BOTH __CDP_WRAPPER cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *__grid, int *__block_dim, __T __func, __S __shared_of_block, int __limit = 0)
{
    int __device = 0, __multiprocessors = 0, __best = 0, __blocks = 0;
    cudaFuncAttributes __attr;
    cudaError_t __error = cudaFuncGetAttributes(&__attr, (const void *)__func);
    __error = __error == cudaSuccess ? cudaGetDevice(&__device) : __error;
    __error = __error == cudaSuccess
                  ? cudaDeviceGetAttribute(&__multiprocessors, cudaDevAttrMultiProcessorCount,
                                           __device)
                  : __error;
    if (__error != cudaSuccess || __grid == 0 || __block_dim == 0)
        return __error != cudaSuccess ? __error : cudaErrorInvalidValue;
    int __most = __attr.maxThreadsPerBlock;
    __most = __limit > 0 && __limit < __most ? __limit : __most;
    *__grid = *__block_dim = 0;
    for (int __size = __most; __size > 0; __size = (__size - 1) / 32 * 32) {
        __error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &__blocks, (const void *)__func, __size, (size_t)__shared_of_block(__size));
        if (__error != cudaSuccess)
            return __error;
        if (__blocks * __size > __best) {
            __best = __blocks * __size;
            *__block_dim = __size;
            *__grid = __blocks * __multiprocessors;
        }
    }
    return cudaSuccess;
}
template <class __S, class __T>
__CDP_BOTH __CDP_WRAPPER cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *__grid, int *__block_dim, __T __func, __S __shared_of_block, int __limit = 0,
    unsigned int = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(__grid, __block_dim, __func,
                                                          __shared_of_block, __limit);
}

#endif
