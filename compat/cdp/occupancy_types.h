/* The structures of the occupancy calculator. Included by cuda_occupancy.h. C programs set them to
 * {0}, and then the members. */
#ifndef __CDP_OCCUPANCY_TYPES_H
#define __CDP_OCCUPANCY_TYPES_H

#include <limits.h>
#include <stddef.h>

#include "hide.h"

#ifdef __CUDACC__
#define __CDP_OCC inline __host__ __device__
#else
#define __CDP_OCC inline
#endif

#define __CUDA_OCC_MAJOR__ 12
#define __CUDA_OCC_MINOR__ 1

typedef enum cudaOccError_enum {
    CUDA_OCC_SUCCESS = 0,
    CUDA_OCC_ERROR_INVALID_INPUT = 1,
    CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

typedef struct cudaOccDeviceProp {
    int computeMajor, computeMinor;
    int maxThreadsPerBlock;
    int maxThreadsPerMultiprocessor;
    int regsPerBlock;
    int regsPerMultiprocessor;
    int warpSize;
    size_t sharedMemPerBlock;
    size_t sharedMemPerMultiprocessor;
    int numSms;
    size_t sharedMemPerBlockOptin;
    size_t reservedSharedMemPerBlock; /* what the driver adds to the memory of each block */

#ifdef __cplusplus
    template <typename __Properties>
    __CDP_OCC cudaOccDeviceProp(const __Properties &__p)
        : computeMajor(__p.major), computeMinor(__p.minor),
          maxThreadsPerBlock(__p.maxThreadsPerBlock),
          maxThreadsPerMultiprocessor(__p.maxThreadsPerMultiProcessor),
          regsPerBlock(__p.regsPerBlock), regsPerMultiprocessor(__p.regsPerMultiprocessor),
          warpSize(__p.warpSize), sharedMemPerBlock(__p.sharedMemPerBlock),
          sharedMemPerMultiprocessor(__p.sharedMemPerMultiprocessor),
          numSms(__p.multiProcessorCount), sharedMemPerBlockOptin(__p.sharedMemPerBlockOptin),
          reservedSharedMemPerBlock(__p.reservedSharedMemPerBlock)
    {
    }
    __CDP_OCC cudaOccDeviceProp()
        : computeMajor(0), computeMinor(0), maxThreadsPerBlock(0), maxThreadsPerMultiprocessor(0),
          regsPerBlock(0), regsPerMultiprocessor(0), warpSize(0), sharedMemPerBlock(0),
          sharedMemPerMultiprocessor(0), numSms(0), sharedMemPerBlockOptin(0),
          reservedSharedMemPerBlock(0)
    {
    }
#endif
} cudaOccDeviceProp;

/* Some GPUs of compute capability 5 and 6 cache global memory per half of a multiprocessor. */
typedef enum cudaOccPartitionedGCConfig_enum {
    PARTITIONED_GC_OFF,
    PARTITIONED_GC_ON,
    PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;

typedef enum cudaOccPartitionedGCSupport_enum {
    PARTITIONED_GC_NOT_SUPPORTED,
    PARTITIONED_GC_SUPPORTED
} cudaOccPartitionedGCSupport;

typedef enum cudaOccFuncShmemConfig_enum {
    FUNC_SHMEM_LIMIT_DEFAULT,
    FUNC_SHMEM_LIMIT_OPTIN
} cudaOccFuncShmemConfig;

typedef struct cudaOccFuncAttributes {
    int maxThreadsPerBlock; /* INT_MAX: no limit but the device's */
    int numRegs;
    size_t sharedSizeBytes; /* static shared memory */
    cudaOccPartitionedGCConfig partitionedGCConfig;
    cudaOccFuncShmemConfig shmemLimitConfig;
    size_t maxDynamicSharedSizeBytes;
    int numBlockBarriers;
    int virtualResourceCount;

#ifdef __cplusplus
    template <typename __Attributes>
    __CDP_OCC cudaOccFuncAttributes(const __Attributes &__a)
        : maxThreadsPerBlock(__a.maxThreadsPerBlock), numRegs(__a.numRegs),
          sharedSizeBytes(__a.sharedSizeBytes), partitionedGCConfig(PARTITIONED_GC_OFF),
          shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
          maxDynamicSharedSizeBytes(__a.maxDynamicSharedSizeBytes), numBlockBarriers(1),
          virtualResourceCount(0)
    {
    }
    __CDP_OCC cudaOccFuncAttributes()
        : maxThreadsPerBlock(0), numRegs(0), sharedSizeBytes(0),
          partitionedGCConfig(PARTITIONED_GC_OFF), shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT),
          maxDynamicSharedSizeBytes(0), numBlockBarriers(0), virtualResourceCount(0)
    {
    }
#endif
} cudaOccFuncAttributes;

typedef enum cudaOccCacheConfig_enum {
    CACHE_PREFER_NONE = 0x00,
    CACHE_PREFER_SHARED = 0x01,
    CACHE_PREFER_L1 = 0x02,
    CACHE_PREFER_EQUAL = 0x03
} cudaOccCacheConfig;

/* Other values are a percentage of the greatest shared memory. */
typedef enum cudaOccCarveoutConfig_enum {
    SHAREDMEM_CARVEOUT_DEFAULT = -1,
    SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
    SHAREDMEM_CARVEOUT_MAX_L1 = 0,
    SHAREDMEM_CARVEOUT_HALF = 50
} cudaOccCarveoutConfig;

typedef struct cudaOccDeviceState {
    cudaOccCacheConfig cacheConfig; /* only before compute capability 7 */
    int carveoutConfig;             /* only from compute capability 7 on */

#ifdef __cplusplus
    __CDP_OCC cudaOccDeviceState()
        : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT)
    {
    }
#endif
} cudaOccDeviceState;

typedef enum cudaOccLimitingFactor_enum {
    OCC_LIMIT_WARPS = 0x01,
    OCC_LIMIT_REGISTERS = 0x02,
    OCC_LIMIT_SHARED_MEMORY = 0x04,
    OCC_LIMIT_BLOCKS = 0x08,
    OCC_LIMIT_BARRIERS = 0x10,
    OCC_LIMIT_VIRTUAL_RESOURCES = 0x20
} cudaOccLimitingFactor;

/* The limits are blocks per multiprocessor; INT_MAX: the kernel does not use it. */
typedef struct cudaOccResult {
    int activeBlocksPerMultiprocessor; /* the least limit */
    unsigned int limitingFactors;      /* the limits that are the least */
    int blockLimitRegs;
    int blockLimitSharedMem;
    int blockLimitWarps;
    int blockLimitBlocks;
    int blockLimitBarriers;
    int blockLimitVirtual;
    int allocatedRegistersPerBlock;
    size_t allocatedSharedMemPerBlock;
    cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

#include "show.h"

#endif
