/* How many blocks and clusters run at the same time. Included by cuda_runtime_api.h. */
#ifndef __CDP_OCCUPANCY_API_H
#define __CDP_OCCUPANCY_API_H

__CDP_BOTH cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks,
                                                                     const void *__func,
                                                                     int __block_size,
                                                                     size_t __shared);
__CDP_BOTH cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *__blocks, const void *__func, int __block_size, size_t __shared, unsigned int __flags);
/* Called by cudaOccupancyMaxPotentialBlockSize and its variants. */
__CDP_BOTH cudaError_t __cdp_occupancy(int *__grid, int *__block_dim, const void *__func,
                                       size_t __shared, int __limit);
cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, const void *__func,
                                           const cudaLaunchConfig_t *__config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *__size, const void *__func,
                                                 const cudaLaunchConfig_t *__config);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__shared, const void *__func,
                                                      int __blocks, int __block_size);

#endif
