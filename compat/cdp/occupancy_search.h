/* The block size that fills a multiprocessor, and the dynamic shared memory that a number of blocks
 * leaves to each. Included by cuda_occupancy.h. */
#ifndef __CDP_OCCUPANCY_SEARCH_H
#define __CDP_OCCUPANCY_SEARCH_H

/* A search from the greatest block size down, in steps of a warp. A smaller size is only better if
 * it has more threads resident. */
struct __cdp_occ_search {
    const cudaOccDeviceProp *__device;
    const cudaOccFuncAttributes *__kernel;
    const cudaOccDeviceState *__state;
    int __most; /* threads of a block */
    int __next; /* the size to try, a multiple of a warp's, or more than the most */
    int __best_size, __best_blocks;
};

static __CDP_OCC cudaOccError __cdp_occ_start(struct __cdp_occ_search *__s)
{
    struct __cdp_occ_question __q;
    __q.__device = __s->__device;
    __q.__kernel = __s->__kernel;
    __q.__state = __s->__state;
    cudaOccError __error = __cdp_occ_check(&__q);
    if (__error != CUDA_OCC_SUCCESS) {
        return __error;
    }
    __s->__most =
        __cdp_occ_min(__s->__device->maxThreadsPerBlock, __s->__kernel->maxThreadsPerBlock);
    __s->__next =
        (int)__cdp_occ_round_up((size_t)__s->__most, (size_t)__s->__device->warpSize);
    __s->__best_size = __s->__best_blocks = 0;
    return CUDA_OCC_SUCCESS;
}

static __CDP_OCC int __cdp_occ_size(const struct __cdp_occ_search *__s)
{
    return __cdp_occ_min(__s->__next, __s->__most);
}

/* Tries one size. Returns whether there is another that may be better. */
static __CDP_OCC int __cdp_occ_try(struct __cdp_occ_search *__s, size_t __dynamic)
{
    cudaOccResult __result;
    int __size = __cdp_occ_size(__s);
    cudaOccMaxActiveBlocksPerMultiprocessor(&__result, __s->__device, __s->__kernel, __s->__state,
                                            __size, __dynamic);
    int __blocks = __result.activeBlocksPerMultiprocessor;
    if (__blocks * __size > __s->__best_blocks * __s->__best_size) {
        __s->__best_blocks = __blocks;
        __s->__best_size = __size;
    }
    __s->__next -= __s->__device->warpSize;
    return __s->__next > 0 && __s->__best_blocks * __s->__best_size !=
                                  __s->__device->maxThreadsPerMultiprocessor;
}

/* minGridSize: the blocks that fill the device. blockSize is 0 if no block fits. */
static __CDP_OCC cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *__minGridSize, int *__blockSize, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state,
    size_t (*__blockSizeToDynamicSMemSize)(int), size_t __dynamicSMemSize)
{
    struct __cdp_occ_search __s = {__properties, __attributes, __state, 0, 0, 0, 0};
    if (__minGridSize == NULL || __blockSize == NULL) {
        return CUDA_OCC_ERROR_INVALID_INPUT;
    }
    cudaOccError __error = __cdp_occ_start(&__s);
    if (__error != CUDA_OCC_SUCCESS) {
        return __error;
    }
    while (__cdp_occ_try(&__s, __blockSizeToDynamicSMemSize == NULL
                                   ? __dynamicSMemSize
                                   : __blockSizeToDynamicSMemSize(__cdp_occ_size(&__s)))) {
    }
    *__minGridSize = __s.__best_blocks * __properties->numSms;
    *__blockSize = __s.__best_size;
    return CUDA_OCC_SUCCESS;
}

/* The dynamic shared memory that each of numBlocks resident blocks may have. One block may have all
 * that the kernel may use; several share what the program prefers. */
static __CDP_OCC cudaOccError cudaOccAvailableDynamicSMemPerBlock(
    size_t *__dynamicSmemSize, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state, int __numBlocks,
    int __blockSize)
{
    cudaOccResult __r;
    struct __cdp_occ_specification __chip;
    cudaOccError __error = cudaOccMaxActiveBlocksPerMultiprocessor(&__r, __properties, __attributes,
                                                                   __state, __blockSize, 0);
    if (__numBlocks <= 0) {
        return CUDA_OCC_ERROR_INVALID_INPUT;
    }
    if (__error != CUDA_OCC_SUCCESS) {
        return __error;
    }
    if (__r.activeBlocksPerMultiprocessor < __numBlocks) {
        return CUDA_OCC_ERROR_INVALID_INPUT;
    }
    __cdp_occ_specification_of(&__chip, __properties);
    size_t __unit = (size_t)__chip.__shared_unit;
    size_t __most = __cdp_occ_most_of_block(__properties, __attributes);
    size_t __all = __cdp_occ_preferred(&__chip, __properties, __state);
    if (__numBlocks == 1) {
        __all = __most;
    } else if (__all == 0) {
        __all = __cdp_occ_configuration(&__chip, 1);
    }
    size_t __share = __all / (size_t)__numBlocks / __unit * __unit;
    __share = (__share < __most ? __share : __most) - __attributes->sharedSizeBytes;
    *__dynamicSmemSize = __share < __attributes->maxDynamicSharedSizeBytes
                           ? __share
                           : __attributes->maxDynamicSharedSizeBytes;
    return CUDA_OCC_SUCCESS;
}

#ifdef __cplusplus
namespace
{
__CDP_OCC cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *__minGridSize, int *__blockSize, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state,
    size_t __dynamicSMemSize = 0)
{
    return cudaOccMaxPotentialOccupancyBlockSize(__minGridSize, __blockSize, __properties, __attributes,
                                                 __state, NULL, __dynamicSMemSize);
}

template <typename __UnaryFunction>
__CDP_OCC cudaOccError cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(
    int *__minGridSize, int *__blockSize, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state,
    __UnaryFunction __blockSizeToDynamicSMemSize)
{
    struct __cdp_occ_search __s = {__properties, __attributes, __state, 0, 0, 0, 0};
    if (__minGridSize == NULL || __blockSize == NULL) {
        return CUDA_OCC_ERROR_INVALID_INPUT;
    }
    cudaOccError __error = __cdp_occ_start(&__s);
    if (__error != CUDA_OCC_SUCCESS) {
        return __error;
    }
    while (__cdp_occ_try(&__s, __blockSizeToDynamicSMemSize(__cdp_occ_size(&__s)))) {
    }
    *__minGridSize = __s.__best_blocks * __properties->numSms;
    *__blockSize = __s.__best_size;
    return CUDA_OCC_SUCCESS;
}
} // namespace
#endif

#endif
