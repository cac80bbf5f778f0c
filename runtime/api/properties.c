/* Attributes and properties from one set of numbers, and the device's limits. */
#include "api/properties.h"

#include "exec/report/finding.h"

#include <stdio.h>
#include <string.h>

#include "api/check.h"
#include "api/error.h"
#include "api/runtime.h"
#include "exec/state/clock.h"

#define L2_FETCH_DEFAULT 64
#define L2_FETCH_MOST 128
#define PERSISTING_L2_DEFAULT 11796480
#define L2_BYTES (60 << 20)
#define CONSTANT_BYTES (64 << 10)
#define MOST_PITCH 0x7fffffff
#define ALIGNMENT 512
#define MEMORY_CLOCK_KHZ 2619000
#define MEMORY_BUS_BITS 64
#define SYNC_DEPTH_DEFAULT 2
#define SYNC_DEPTH_MOST 24
#define PENDING_DEFAULT 2048
#define STACK_DEFAULT 1024
#define STACK_MOST (512 << 10)
#define PRINTF_FIFO_MOST ((size_t)1 << 32)
/* A limit that the headers do not have yet: the most shared memory of a block. */
#define LIMIT_SHARED_PER_BLOCK 7

static int multiprocessors(void)
{
    const struct cdp_runtime *running = cdp_runtime_running();
    return running != NULL ? (int)cdp_engine_worker_count(running->engine) : 1;
}

/* Whether kernels may access host memory that is neither pinned, registered nor managed. With the
 * check of memory such accesses are findings, as on most GPUs. */
static int accesses_host_memory(void)
{
    return !cdp_finding_is_on(CDP_CHECKS_MEMORY);
}

/* clang-format off */
/* Attributes that are plain numbers: ATTRIBUTE(name after cudaDevAttr, value). */
#define ATTRIBUTES(ATTRIBUTE)                                                 \
    ATTRIBUTE(MaxThreadsPerBlock, CDP_MOST_THREADS)                           \
    ATTRIBUTE(MaxBlockDimX, CDP_MOST_THREADS)                                 \
    ATTRIBUTE(MaxBlockDimY, CDP_MOST_THREADS)                                 \
    ATTRIBUTE(MaxBlockDimZ, CDP_MOST_BLOCK_Z)                                 \
    ATTRIBUTE(MaxGridDimX, CDP_MOST_GRID_X)                                   \
    ATTRIBUTE(MaxGridDimY, CDP_MOST_GRID_YZ)                                  \
    ATTRIBUTE(MaxGridDimZ, CDP_MOST_GRID_YZ)                                  \
    ATTRIBUTE(MaxSharedMemoryPerBlock, CDP_MOST_SHARED)                       \
    ATTRIBUTE(TotalConstantMemory, CONSTANT_BYTES)                            \
    ATTRIBUTE(WarpSize, CDP_WARP_SIZE)                                        \
    ATTRIBUTE(MaxPitch, MOST_PITCH)                                           \
    ATTRIBUTE(MaxRegistersPerBlock, CDP_REGISTERS)                            \
    ATTRIBUTE(TextureAlignment, ALIGNMENT)                                    \
    ATTRIBUTE(GpuOverlap, 1)                                                  \
    ATTRIBUTE(KernelExecTimeout, 0)                                           \
    ATTRIBUTE(Integrated, 1)                                                  \
    ATTRIBUTE(CanMapHostMemory, 1)                                            \
    ATTRIBUTE(ComputeMode, cudaComputeModeDefault)                            \
    ATTRIBUTE(SurfaceAlignment, ALIGNMENT)                                    \
    ATTRIBUTE(ConcurrentKernels, 1)                                           \
    ATTRIBUTE(EccEnabled, 0)                                                  \
    ATTRIBUTE(PciBusId, 0)                                                    \
    ATTRIBUTE(PciDeviceId, 0)                                                 \
    ATTRIBUTE(TccDriver, 0)                                                   \
    ATTRIBUTE(ClockRate, CDP_CLOCK_KHZ)                                       \
    ATTRIBUTE(MemoryClockRate, MEMORY_CLOCK_KHZ)                              \
    ATTRIBUTE(GlobalMemoryBusWidth, MEMORY_BUS_BITS)                          \
    ATTRIBUTE(L2CacheSize, L2_BYTES)                                          \
    ATTRIBUTE(MaxThreadsPerMultiProcessor, CDP_THREADS_PER_MULTIPROCESSOR)    \
    ATTRIBUTE(AsyncEngineCount, 1)                                            \
    ATTRIBUTE(UnifiedAddressing, 1)                                           \
    ATTRIBUTE(PciDomainId, 0)                                                 \
    ATTRIBUTE(TexturePitchAlignment, 32)                                      \
    ATTRIBUTE(ComputeCapabilityMajor, 9)                                      \
    ATTRIBUTE(ComputeCapabilityMinor, 0)                                      \
    ATTRIBUTE(StreamPrioritiesSupported, 1)                                   \
    ATTRIBUTE(GlobalL1CacheSupported, 1)                                      \
    ATTRIBUTE(LocalL1CacheSupported, 1)                                       \
    ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, CDP_SHARED_PER_MULTIPROCESSOR) \
    ATTRIBUTE(MaxRegistersPerMultiprocessor, CDP_REGISTERS)                   \
    ATTRIBUTE(ManagedMemory, 1)                                               \
    ATTRIBUTE(IsMultiGpuBoard, 0)                                             \
    ATTRIBUTE(MultiGpuBoardGroupID, 0)                                        \
    ATTRIBUTE(HostNativeAtomicSupported, 1)                                   \
    ATTRIBUTE(SingleToDoublePrecisionPerfRatio, 2)                            \
    ATTRIBUTE(PageableMemoryAccess, accesses_host_memory())                   \
    ATTRIBUTE(ConcurrentManagedAccess, 1)                                     \
    ATTRIBUTE(ComputePreemptionSupported, 1)                                  \
    ATTRIBUTE(CanUseHostPointerForRegisteredMem, 1)                           \
    ATTRIBUTE(CooperativeLaunch, 1)                                           \
    ATTRIBUTE(CooperativeMultiDeviceLaunch, 0)                                \
    ATTRIBUTE(MaxSharedMemoryPerBlockOptin, CDP_MOST_SHARED_OPTIN)            \
    ATTRIBUTE(CanFlushRemoteWrites, 0)                                        \
    ATTRIBUTE(HostRegisterSupported, 1)                                       \
    ATTRIBUTE(PageableMemoryAccessUsesHostPageTables, accesses_host_memory()) \
    ATTRIBUTE(DirectManagedMemAccessFromHost, 1)                              \
    ATTRIBUTE(MaxBlocksPerMultiprocessor, CDP_BLOCKS_PER_MULTIPROCESSOR)      \
    ATTRIBUTE(MaxPersistingL2CacheSize, PERSISTING_L2_DEFAULT)                \
    ATTRIBUTE(MaxAccessPolicyWindowSize, 0)                                   \
    ATTRIBUTE(ReservedSharedMemoryPerBlock, CDP_RESERVED_SHARED)              \
    ATTRIBUTE(SparseCudaArraySupported, 0)                                    \
    ATTRIBUTE(HostRegisterReadOnlySupported, 1)                               \
    ATTRIBUTE(TimelineSemaphoreInteropSupported, 0)                           \
    ATTRIBUTE(MemoryPoolsSupported, 1)                                        \
    ATTRIBUTE(GPUDirectRDMASupported, 0)                                      \
    ATTRIBUTE(GPUDirectRDMAFlushWritesOptions, 0)                             \
    ATTRIBUTE(GPUDirectRDMAWritesOrdering, 0)                                 \
    ATTRIBUTE(MemoryPoolSupportedHandleTypes, 0)                              \
    ATTRIBUTE(ClusterLaunch, 1)                                               \
    ATTRIBUTE(DeferredMappingCudaArraySupported, 0)                           \
    ATTRIBUTE(IpcEventSupport, 0)                                             \
    ATTRIBUTE(MemSyncDomainCount, 1)                                          \
    ATTRIBUTE(NumaConfig, 0)                                                  \
    ATTRIBUTE(NumaId, -1)                                                     \
    ATTRIBUTE(MpsEnabled, 0)                                                  \
    ATTRIBUTE(HostNumaId, 0)
/* clang-format on */

cudaError_t cdp_property_attribute(int *value, enum cudaDeviceAttr attribute)
{
    switch ((int)attribute) {
    case cudaDevAttrMultiProcessorCount:
        *value = multiprocessors();
        return cudaSuccess;
#define ATTRIBUTE(name, number)                                                                    \
    case cudaDevAttr##name:                                                                        \
        *value = (int)(number);                                                                    \
        return cudaSuccess;
        ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
#define TEXTURE_LIMIT(attribute, property, number)                                                 \
    case cudaDevAttrMax##attribute:                                                                \
        *value = (number);                                                                         \
        return cudaSuccess;
#include "api/texture_limits.def"
#undef TEXTURE_LIMIT
    default:
        return cudaErrorInvalidValue;
    }
}

/* ---- Limits ---- */

cudaError_t cdp_property_limit(size_t *value, enum cudaLimit limit)
{
    struct cdp_runtime *running = cdp_runtime_running();
    const struct cdp_engine_limits *limits = cdp_engine_limits(running->engine);
    switch ((int)limit) {
    case cudaLimitStackSize:
        *value = limits->stack_size;
        return cudaSuccess;
    case cudaLimitPrintfFifoSize:
        *value = limits->printf_fifo;
        return cudaSuccess;
    case cudaLimitMallocHeapSize:
        *value = cdp_heap_limit(&running->device_heap);
        return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
        *value = limits->sync_depth;
        return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
        *value = limits->pending_launches;
        return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
        *value = atomic_load(&running->l2_fetch_granularity);
        return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
        *value = atomic_load(&running->persisting_l2);
        return cudaSuccess;
    case LIMIT_SHARED_PER_BLOCK:
        *value = CDP_MOST_SHARED_OPTIN;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

/* Only if the program sets the size is output lost. */
static cudaError_t set_printf_fifo(struct cdp_engine *engine, size_t value)
{
    if (value == 0 || value > PRINTF_FIFO_MOST) {
        return cudaErrorInvalidValue;
    }
    cdp_engine_limits(engine)->printf_fifo = value;
    cdp_engine_limit_output(engine, value);
    return cudaSuccess;
}

static cudaError_t set_heap(struct cdp_runtime *runtime, size_t value)
{
    switch ((int)cdp_heap_set_limit(&runtime->device_heap, value)) {
    case CDP_OK:
        return cudaSuccess;
    case CDP_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    default: /* too much, or less while some of it is in use */
        return cudaErrorInvalidValue;
    }
}

/* Stores value if it is between the bounds. */
static cudaError_t set_number(size_t value, size_t least, size_t most, _Atomic uint32_t *out)
{
    if (value < least || value > most) {
        return cudaErrorInvalidValue;
    }
    *out = (uint32_t)value;
    return cudaSuccess;
}

cudaError_t cdp_property_set_limit(struct cdp_runtime *runtime, enum cudaLimit limit, size_t value)
{
    struct cdp_engine_limits *limits = cdp_engine_limits(runtime->engine);
    switch ((int)limit) {
    case cudaLimitStackSize:
        if (value > STACK_MOST) {
            return cudaErrorInvalidValue;
        }
        limits->stack_size = value;
        return cudaSuccess;
    case cudaLimitPrintfFifoSize:
        return set_printf_fifo(runtime->engine, value);
    case cudaLimitMallocHeapSize:
        return set_heap(runtime, value);
    case cudaLimitDevRuntimeSyncDepth:
        return set_number(value, 1, SYNC_DEPTH_MOST, &limits->sync_depth);
    case cudaLimitDevRuntimePendingLaunchCount:
        return set_number(value, 1, UINT32_MAX, &limits->pending_launches);
    case cudaLimitMaxL2FetchGranularity:
        if (value > L2_FETCH_MOST) {
            return cudaErrorInvalidValue;
        }
        atomic_store(&runtime->l2_fetch_granularity, value);
        return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
        if (value > PERSISTING_L2_DEFAULT) {
            return cudaErrorInvalidValue;
        }
        atomic_store(&runtime->persisting_l2, value);
        return cudaSuccess;
    case LIMIT_SHARED_PER_BLOCK:
        return cudaErrorUnsupportedLimit;
    default:
        return cudaErrorInvalidValue;
    }
}

void cdp_property_reset_limits(struct cdp_runtime *runtime)
{
    struct cdp_engine_limits *limits = cdp_engine_limits(runtime->engine);
    limits->sync_depth = SYNC_DEPTH_DEFAULT;
    limits->pending_launches = PENDING_DEFAULT;
    limits->printf_fifo = CDP_PRINTF_FIFO_DEFAULT;
    limits->stack_size = STACK_DEFAULT;
    cdp_engine_limit_output(runtime->engine, 0);
    atomic_store(&runtime->l2_fetch_granularity, L2_FETCH_DEFAULT);
    atomic_store(&runtime->persisting_l2, PERSISTING_L2_DEFAULT);
    (void)!cdp_heap_set_limit(&runtime->device_heap, CDP_DEVICE_HEAP_DEFAULT);
}

/* ---- Properties ---- */

/* The processor's name as the system reports it. */
static void read_cpu_name(char *out, size_t size)
{
    snprintf(out, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (file == NULL) {
        return;
    }
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    fclose(file);
}

static void describe_numbers(struct cudaDeviceProp *out)
{
    out->sharedMemPerBlock = CDP_MOST_SHARED;
    out->regsPerBlock = CDP_REGISTERS;
    out->warpSize = CDP_WARP_SIZE;
    out->memPitch = MOST_PITCH;
    out->maxThreadsPerBlock = CDP_MOST_THREADS;
    out->maxThreadsDim[0] = out->maxThreadsDim[1] = CDP_MOST_THREADS;
    out->maxThreadsDim[2] = CDP_MOST_BLOCK_Z;
    out->maxGridSize[0] = CDP_MOST_GRID_X;
    out->maxGridSize[1] = out->maxGridSize[2] = CDP_MOST_GRID_YZ;
    out->clockRate = CDP_CLOCK_KHZ;
    out->totalConstMem = CONSTANT_BYTES;
    out->major = 9;
    out->textureAlignment = out->surfaceAlignment = ALIGNMENT;
    out->texturePitchAlignment = 32;
    out->multiProcessorCount = multiprocessors();
    out->computeMode = cudaComputeModeDefault;
    out->asyncEngineCount = 1;
    out->memoryClockRate = MEMORY_CLOCK_KHZ;
    out->memoryBusWidth = MEMORY_BUS_BITS;
    out->l2CacheSize = L2_BYTES;
    out->persistingL2CacheMaxSize = PERSISTING_L2_DEFAULT;
    out->maxThreadsPerMultiProcessor = CDP_THREADS_PER_MULTIPROCESSOR;
    out->sharedMemPerMultiprocessor = CDP_SHARED_PER_MULTIPROCESSOR;
    out->regsPerMultiprocessor = CDP_REGISTERS;
    out->singleToDoublePrecisionPerfRatio = 2;
    out->sharedMemPerBlockOptin = CDP_MOST_SHARED_OPTIN;
    out->maxBlocksPerMultiProcessor = CDP_BLOCKS_PER_MULTIPROCESSOR;
    out->reservedSharedMemPerBlock = CDP_RESERVED_SHARED;
}

static void describe_textures(struct cudaDeviceProp *out)
{
#define TEXTURE_LIMIT(attribute, property, number) out->max##property = (number);
#include "api/texture_limits.def"
#undef TEXTURE_LIMIT
}

static void describe_abilities(struct cudaDeviceProp *out)
{
    out->deviceOverlap = 1;
    out->integrated = 1;
    out->canMapHostMemory = 1;
    out->concurrentKernels = 1;
    out->unifiedAddressing = 1;
    out->streamPrioritiesSupported = 1;
    out->globalL1CacheSupported = 1;
    out->localL1CacheSupported = 1;
    out->managedMemory = 1;
    out->hostNativeAtomicSupported = 1;
    out->pageableMemoryAccess = accesses_host_memory();
    out->concurrentManagedAccess = 1;
    out->computePreemptionSupported = 1;
    out->canUseHostPointerForRegisteredMem = 1;
    out->pageableMemoryAccessUsesHostPageTables = accesses_host_memory();
    out->directManagedMemAccessFromHost = 1;
    out->hostRegisterSupported = 1;
    out->hostRegisterReadOnlySupported = 1;
    out->memoryPoolsSupported = 1;
    out->unifiedFunctionPointers = 1;
}

void cdp_property_describe(struct cudaDeviceProp *out)
{
    memset(out, 0, sizeof *out);
    char cpu[160];
    read_cpu_name(cpu, sizeof cpu);
    snprintf(out->name, sizeof out->name, "cdpcc CPU device (%s)", cpu);
    memcpy(out->uuid.bytes, "cdpcc-cpu-device", sizeof out->uuid.bytes);
    out->totalGlobalMem = cdp_heap_limit(&cdp_runtime_running()->device);
    describe_numbers(out);
    describe_textures(out);
    describe_abilities(out);
}
