/* The limit of each resource, and the least of them. Included by cuda_occupancy.h. */
#ifndef __CDP_OCCUPANCY_LIMITS_H
#define __CDP_OCCUPANCY_LIMITS_H

/* A block that is asked about. */
struct __cdp_occ_question {
    struct __cdp_occ_specification __chip;
    const cudaOccDeviceProp *__device;
    const cudaOccFuncAttributes *__kernel;
    const cudaOccDeviceState *__state;
    int __threads;
    size_t __dynamic;
};

static __CDP_OCC cudaOccError __cdp_occ_check(struct __cdp_occ_question *__q)
{
    const cudaOccDeviceProp *__d = __q->__device;
    if (__d == NULL || __q->__kernel == NULL || __q->__state == NULL) {
        return CUDA_OCC_ERROR_INVALID_INPUT;
    }
    if (__d->maxThreadsPerBlock <= 0 || __d->maxThreadsPerMultiprocessor <= 0 ||
        __d->regsPerBlock <= 0 || __d->regsPerMultiprocessor <= 0 || __d->warpSize <= 0 ||
        __d->sharedMemPerBlock == 0 || __d->sharedMemPerMultiprocessor == 0 || __d->numSms <= 0) {
        return CUDA_OCC_ERROR_INVALID_INPUT;
    }
    if (!__cdp_occ_specification_of(&__q->__chip, __d)) {
        return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
    }
    int __carveout = __q->__state->carveoutConfig;
    return __q->__kernel->maxThreadsPerBlock <= 0 || __q->__kernel->numRegs < 0 ||
                   (__d->computeMajor >= 7 && (__carveout < -1 || __carveout > 100))
               ? CUDA_OCC_ERROR_INVALID_INPUT
               : CUDA_OCC_SUCCESS;
}

static __CDP_OCC int __cdp_occ_warps(const struct __cdp_occ_question *__q)
{
    int __size = __q->__device->warpSize;
    return (__q->__threads + __size - 1) / __size;
}

/* Only the device's limit: a block that is too great for the kernel still has an occupancy. */
static __CDP_OCC int __cdp_occ_limit_of_warps(const struct __cdp_occ_question *__q, int __halves)
{
    const cudaOccDeviceProp *__d = __q->__device;
    int __all = __d->maxThreadsPerMultiprocessor / __d->warpSize;
    return __q->__threads <= __d->maxThreadsPerBlock
               ? __all / __halves / __cdp_occ_warps(__q) * __halves
               : 0;
}

static __CDP_OCC int __cdp_occ_registers_of_warp(int __of_thread, int __warp_size)
{
    return (int)__cdp_occ_round_up((size_t)__of_thread * (size_t)__warp_size,
                                   __CDP_OCC_REGISTERS_UNIT);
}

/* Whether a block of the warps fits. They take turns among the schedulers, each of which has an
 * equal part of the registers. A block has to fit on all GPUs of compute capability 6, so 6.0's
 * two schedulers count as four. */
static __CDP_OCC int __cdp_occ_registers_suffice(const struct __cdp_occ_question *__q,
                                                 int __of_warp)
{
    const cudaOccDeviceProp *__d = __q->__device;
    int __spread = (int)__cdp_occ_round_up((size_t)__cdp_occ_warps(__q), 4);
    return __q->__kernel->numRegs <= (__d->computeMajor < 7 ? 255 : 256) &&
           __of_warp * __spread <= __d->regsPerBlock;
}

static __CDP_OCC int __cdp_occ_limit_of_registers(const struct __cdp_occ_question *__q,
                                                  int __of_warp, int __halves)
{
    int __schedulers = __q->__chip.__schedulers;
    if (__of_warp == 0) {
        return __INT_MAX__;
    }
    if (!__cdp_occ_registers_suffice(__q, __of_warp)) {
        return 0;
    }
    int __resident = __q->__device->regsPerMultiprocessor / __schedulers / __of_warp * __schedulers;
    return __resident / __halves / __cdp_occ_warps(__q) * __halves;
}

/* With partitioned caching, a block has one half of the multiprocessor, and so of its registers. If
 * it does not fit there, the caching is turned off, unless it is strictly demanded. */
static __CDP_OCC cudaOccPartitionedGCConfig
__cdp_occ_partitioned(const struct __cdp_occ_question *__q, int __of_warp)
{
    int __major = __q->__device->computeMajor, __minor = __q->__device->computeMinor;
    cudaOccPartitionedGCConfig __wanted = __q->__kernel->partitionedGCConfig;
    int __is_supported = (__major == 5 && __minor >= 2) || (__major == 6 && __minor >= 1);
    int __is_off = !__is_supported || (__wanted != PARTITIONED_GC_ON_STRICT &&
                                       __cdp_occ_limit_of_registers(__q, __of_warp, 2) == 0 &&
                                       __cdp_occ_limit_of_registers(__q, __of_warp, 1) != 0);
    return __is_off ? PARTITIONED_GC_OFF : __wanted;
}

/* Shared memory of a block, with what the driver reserves. */
static __CDP_OCC size_t __cdp_occ_most_of_block(const cudaOccDeviceProp *__d,
                                                const cudaOccFuncAttributes *__kernel)
{
    int __opts_in = __kernel->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN && __d->computeMajor >= 7;
    return (__opts_in ? __d->sharedMemPerBlockOptin : __d->sharedMemPerBlock) +
           __d->reservedSharedMemPerBlock;
}

static __CDP_OCC int __cdp_occ_limit_of_shared_memory(const struct __cdp_occ_question *__q,
                                                      size_t *__allocated)
{
    const cudaOccDeviceProp *__d = __q->__device;
    int __opts_in = __q->__kernel->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN;
    size_t __used = __q->__kernel->sharedSizeBytes + __q->__dynamic;
    size_t __needed = __used + __d->reservedSharedMemPerBlock;
    size_t __bytes = __cdp_occ_round_up(__needed, (size_t)__q->__chip.__shared_unit);
    size_t __all = __cdp_occ_preferred(&__q->__chip, __d, __q->__state);
    *__allocated = __bytes;
    if (__needed > __cdp_occ_most_of_block(__d, __q->__kernel) ||
        (__opts_in && __q->__dynamic > __q->__kernel->maxDynamicSharedSizeBytes)) {
        return 0;
    }
    if (__bytes == 0) {
        return __INT_MAX__;
    }
    if (__all < __bytes) {
        __all = __d->computeMajor < 7 ? __d->sharedMemPerMultiprocessor
                                      : __cdp_occ_configuration(&__q->__chip, __bytes);
    }
    return (int)(__all / __bytes);
}

static __CDP_OCC int __cdp_occ_limit_of(int __all, int __used)
{
    return __all > 0 && __used > 0 ? __all / __used : __INT_MAX__;
}

/* The bits of the limits that are the least. */
static __CDP_OCC unsigned int __cdp_occ_factors(const cudaOccResult *__r, int __least)
{
    return (__r->blockLimitWarps == __least ? (unsigned int)OCC_LIMIT_WARPS : 0u) |
           (__r->blockLimitRegs == __least ? (unsigned int)OCC_LIMIT_REGISTERS : 0u) |
           (__r->blockLimitSharedMem == __least ? (unsigned int)OCC_LIMIT_SHARED_MEMORY : 0u) |
           (__r->blockLimitBlocks == __least ? (unsigned int)OCC_LIMIT_BLOCKS : 0u) |
           (__r->blockLimitVirtual == __least ? (unsigned int)OCC_LIMIT_VIRTUAL_RESOURCES : 0u);
}

static __CDP_OCC void __cdp_occ_answer(const struct __cdp_occ_question *__q, cudaOccResult *__r)
{
    int __of_warp =
        __cdp_occ_registers_of_warp(__q->__kernel->numRegs, __q->__device->warpSize);
    __r->partitionedGCConfig = __cdp_occ_partitioned(__q, __of_warp);
    int __halves = __r->partitionedGCConfig == PARTITIONED_GC_OFF ? 1 : 2;
    __r->allocatedRegistersPerBlock = __of_warp * __cdp_occ_warps(__q);
    __r->blockLimitRegs = __cdp_occ_limit_of_registers(__q, __of_warp, __halves);
    __r->blockLimitWarps = __cdp_occ_limit_of_warps(__q, __halves);
    __r->blockLimitBlocks = __q->__chip.__blocks;
    __r->blockLimitSharedMem =
        __cdp_occ_limit_of_shared_memory(__q, &__r->allocatedSharedMemPerBlock);
    __r->blockLimitVirtual =
        __cdp_occ_limit_of(__q->__device->computeMajor >= 10 ? __CDP_OCC_VIRTUAL : 0,
                           __q->__kernel->virtualResourceCount);
    __r->blockLimitBarriers =
        __cdp_occ_limit_of(__q->__chip.__barriers, __q->__kernel->numBlockBarriers);
    int __least = __cdp_occ_min(__cdp_occ_min(__r->blockLimitRegs, __r->blockLimitWarps),
                                __cdp_occ_min(__r->blockLimitBlocks, __r->blockLimitSharedMem));
    __least = __cdp_occ_min(__least, __r->blockLimitVirtual);
    /* As NVIDIA's: a limit of barriers adds its bit to those of the limits that are next. */
    __r->limitingFactors = __cdp_occ_factors(__r, __least);
    if (__r->blockLimitBarriers <= __least) {
        __r->limitingFactors |= OCC_LIMIT_BARRIERS;
        __least = __r->blockLimitBarriers;
    }
    __r->activeBlocksPerMultiprocessor = __least;
}

/* The blocks of so many threads that are resident at a time on one multiprocessor. */
static __CDP_OCC cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult *__result, const cudaOccDeviceProp *__properties,
    const cudaOccFuncAttributes *__attributes, const cudaOccDeviceState *__state, int __blockSize,
    size_t __dynamicSmemSize)
{
    struct __cdp_occ_question __q;
    __q.__device = __properties;
    __q.__kernel = __attributes;
    __q.__state = __state;
    __q.__threads = __blockSize;
    __q.__dynamic = __dynamicSmemSize;
    if (__result == NULL || __blockSize <= 0) {
        return CUDA_OCC_ERROR_INVALID_INPUT;
    }
    cudaOccError __error = __cdp_occ_check(&__q);
    if (__error == CUDA_OCC_SUCCESS) {
        __cdp_occ_answer(&__q, __result);
    }
    return __error;
}

#endif
