/* Attributes and properties from one set of numbers, and the device's limits. */
#include "api/properties.h"

#include "exec/report/finding.h"

#include <stdio.h>
#include <string.h>

#include "cdp/cu_attributes.h"

#include "api/check.h"
#include "api/error.h"
#include "api/profile.h"
#include "api/runtime.h"
#include "exec/state/clock.h"

#define L2_FETCH_DEFAULT 64
#define L2_FETCH_MOST 128
#define PERSISTING_L2_DEFAULT 11796480
#define CONSTANT_BYTES (64 << 10)
#define MOST_PITCH 0x7fffffff
#define ALIGNMENT 512
#define SYNC_DEPTH_DEFAULT 2
#define SYNC_DEPTH_MOST 24
#define PENDING_DEFAULT 2048
#define STACK_DEFAULT 1024
#define STACK_MOST (512 << 10)
#define STACK_UNIT 16
#define PENDING_LEAST 32
#define HEAP_LEAST ((size_t)4 << 20)
#define PRINTF_FIFO_MOST ((size_t)1 << 32)
/* Limits that the runtime's headers do not have: the most shared memory of a block, and two for
 * graphics. */
#define LIMIT_SHARED_PER_BLOCK 7
#define LIMIT_GRAPHICS 8
#define LIMIT_GRAPHICS_SHARED 9

static const struct cdp_profile *profile_of(unsigned device)
{
    return cdp_runtime_running()->devices[device].profile;
}

static int multiprocessors(const struct cdp_profile *profile)
{
    return profile->multiprocessors != 0
               ? profile->multiprocessors
               : (int)cdp_engine_worker_count(cdp_runtime_running()->engine);
}

static int has_ecc(const struct cdp_profile *profile)
{
    return profile->board != NULL && profile->board->ecc == CDP_ECC_ON;
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
    ATTRIBUTE(Integrated, profile->name == NULL)                                                  \
    ATTRIBUTE(CanMapHostMemory, 1)                                            \
    ATTRIBUTE(ComputeMode, cudaComputeModeDefault)                            \
    ATTRIBUTE(SurfaceAlignment, ALIGNMENT)                                    \
    ATTRIBUTE(ConcurrentKernels, 1)                                           \
    ATTRIBUTE(EccEnabled, has_ecc(profile))                                   \
    ATTRIBUTE(PciBusId, device)                                                   \
    ATTRIBUTE(PciDeviceId, 0)                                                 \
    ATTRIBUTE(TccDriver, 0)                                                   \
    ATTRIBUTE(ClockRate, profile->clock_khz)                                       \
    ATTRIBUTE(MemoryClockRate, profile->memory_clock_khz)                              \
    ATTRIBUTE(GlobalMemoryBusWidth, profile->bus_bits)                          \
    ATTRIBUTE(L2CacheSize, profile->l2_bytes)                                          \
    ATTRIBUTE(MaxThreadsPerMultiProcessor, limits->threads)    \
    ATTRIBUTE(AsyncEngineCount, 1)                                            \
    ATTRIBUTE(UnifiedAddressing, 1)                                           \
    ATTRIBUTE(PciDomainId, 0)                                                 \
    ATTRIBUTE(TexturePitchAlignment, 32)                                      \
    ATTRIBUTE(ComputeCapabilityMajor, limits->major)                                      \
    ATTRIBUTE(ComputeCapabilityMinor, limits->minor)                                      \
    ATTRIBUTE(StreamPrioritiesSupported, 1)                                   \
    ATTRIBUTE(GlobalL1CacheSupported, 1)                                      \
    ATTRIBUTE(LocalL1CacheSupported, 1)                                       \
    ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, limits->shared) \
    ATTRIBUTE(MaxRegistersPerMultiprocessor, CDP_REGISTERS)                   \
    ATTRIBUTE(ManagedMemory, 1)                                               \
    ATTRIBUTE(IsMultiGpuBoard, 0)                                             \
    ATTRIBUTE(MultiGpuBoardGroupID, 0)                                        \
    ATTRIBUTE(HostNativeAtomicSupported, 1)                                   \
    ATTRIBUTE(SingleToDoublePrecisionPerfRatio, limits->ratio)                            \
    ATTRIBUTE(PageableMemoryAccess, accesses_host_memory())                   \
    ATTRIBUTE(ConcurrentManagedAccess, 1)                                     \
    ATTRIBUTE(ComputePreemptionSupported, 1)                                  \
    ATTRIBUTE(CanUseHostPointerForRegisteredMem, 1)                           \
    ATTRIBUTE(CooperativeLaunch, 1)                                           \
    ATTRIBUTE(CooperativeMultiDeviceLaunch, 0)                                \
    ATTRIBUTE(MaxSharedMemoryPerBlockOptin, limits->optin)            \
    ATTRIBUTE(CanFlushRemoteWrites, 0)                                        \
    ATTRIBUTE(HostRegisterSupported, 1)                                       \
    ATTRIBUTE(PageableMemoryAccessUsesHostPageTables, accesses_host_memory()) \
    ATTRIBUTE(DirectManagedMemAccessFromHost, 1)                              \
    ATTRIBUTE(MaxBlocksPerMultiprocessor, limits->blocks)      \
    ATTRIBUTE(MaxPersistingL2CacheSize, PERSISTING_L2_DEFAULT)                \
    ATTRIBUTE(MaxAccessPolicyWindowSize, 0)                                   \
    ATTRIBUTE(ReservedSharedMemoryPerBlock, limits->reserved)              \
    ATTRIBUTE(SparseCudaArraySupported, 0)                                    \
    ATTRIBUTE(HostRegisterReadOnlySupported, 1)                               \
    ATTRIBUTE(TimelineSemaphoreInteropSupported, 0)                           \
    ATTRIBUTE(MemoryPoolsSupported, 1)                                        \
    ATTRIBUTE(GPUDirectRDMASupported, 0)                                      \
    ATTRIBUTE(GPUDirectRDMAFlushWritesOptions, 0)                             \
    ATTRIBUTE(GPUDirectRDMAWritesOrdering, 0)                                 \
    ATTRIBUTE(MemoryPoolSupportedHandleTypes, cudaMemHandleTypePosixFileDescriptor)                              \
    ATTRIBUTE(ClusterLaunch, limits->major >= 9)                                               \
    ATTRIBUTE(DeferredMappingCudaArraySupported, 0)                           \
    ATTRIBUTE(IpcEventSupport, 1)                                             \
    ATTRIBUTE(MemSyncDomainCount, 1)                                          \
    ATTRIBUTE(NumaConfig, 0)                                                  \
    ATTRIBUTE(NumaId, -1)                                                     \
    ATTRIBUTE(MpsEnabled, 0)                                                  \
    ATTRIBUTE(HostNumaId, 0)
/* clang-format on */

/* Attributes that only the driver API names; both answer. *value becomes 1 if cdpcc has it. */
static bool is_feature_of_driver(int attribute, int *value)
{
    static const struct {
        int first, last;
    } absent[] = {{92, 94},   {104, 105}, {107, 107}, {110, 110},
                  {122, 124}, {127, 129}, {132, 132}, {135, 147}};
    bool is_here = attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
                   attribute == CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED ||
                   attribute == CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER ||
                   attribute == CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS ||
                   attribute == CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR;
    bool found = is_here;
    for (size_t i = 0; i < sizeof absent / sizeof *absent && !found; i++) {
        found = attribute >= absent[i].first && attribute <= absent[i].last;
    }
    if (found) {
        *value = is_here;
    }
    return found;
}

cudaError_t cdp_property_attribute(unsigned device, int *value, enum cudaDeviceAttr attribute)
{
    const struct cdp_profile *profile = profile_of(device);
    const struct cdp_capability *limits = profile->capability;
    switch ((int)attribute) {
    case cudaDevAttrMultiProcessorCount:
        *value = multiprocessors(profile);
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
        return is_feature_of_driver((int)attribute, value) ? cudaSuccess : cudaErrorInvalidValue;
    }
}

/* ---- Limits ---- */

cudaError_t cdp_property_limit(unsigned number, size_t *value, enum cudaLimit limit)
{
    struct cdp_runtime *running = cdp_runtime_running();
    struct cdp_device *device = &running->devices[number];
    const struct cdp_engine_limits *limits = cdp_engine_limits(running->engine, number);
    switch ((int)limit) {
    case cudaLimitStackSize:
        *value = limits->stack_size;
        return cudaSuccess;
    case cudaLimitPrintfFifoSize:
        *value = limits->printf_fifo;
        return cudaSuccess;
    case cudaLimitMallocHeapSize:
        *value = cdp_heap_limit(&device->device_heap);
        return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
        *value = limits->sync_depth;
        return cudaSuccess;
    case cudaLimitDevRuntimePendingLaunchCount:
        *value = limits->pending_launches;
        return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
        *value = atomic_load(&device->l2_fetch_granularity);
        return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
        *value = atomic_load(&device->persisting_l2);
        return cudaSuccess;
    case LIMIT_SHARED_PER_BLOCK:
        *value = (size_t)device->profile->capability->optin;
        return cudaSuccess;
    case LIMIT_GRAPHICS:
        *value = 0;
        return cudaSuccess;
    case LIMIT_GRAPHICS_SHARED:
        return cudaErrorUnsupportedLimit;
    default:
        return cudaErrorInvalidValue;
    }
}

/* Only if the program sets the size is output lost. */
static cudaError_t set_printf_fifo(struct cdp_engine *engine, unsigned device, size_t value)
{
    if (value == 0 || value > PRINTF_FIFO_MOST) {
        return cudaErrorInvalidValue;
    }
    cdp_engine_limits(engine, device)->printf_fifo = value;
    cdp_engine_limit_output(engine, device, value);
    return cudaSuccess;
}

/* As an H100 showed, the least heap is given where a program asks for less. */
static cudaError_t set_heap(struct cdp_device *device, size_t value)
{
    value = value < HEAP_LEAST ? HEAP_LEAST : value;
    switch ((int)cdp_heap_set_limit(&device->device_heap, value)) {
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
    struct cdp_device *device = cdp_device_current(runtime);
    struct cdp_engine_limits *limits = cdp_engine_limits(runtime->engine, device->number);
    switch ((int)limit) {
    case cudaLimitStackSize:
        if (value > STACK_MOST) {
            return cudaErrorInvalidValue;
        }
        limits->stack_size = (value + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT;
        return cudaSuccess;
    case cudaLimitPrintfFifoSize:
        return set_printf_fifo(runtime->engine, device->number, value);
    case cudaLimitMallocHeapSize:
        return set_heap(device, value);
    case cudaLimitDevRuntimeSyncDepth:
        return set_number(value, 1, SYNC_DEPTH_MOST, &limits->sync_depth);
    case cudaLimitDevRuntimePendingLaunchCount:
        return set_number(value < PENDING_LEAST ? PENDING_LEAST : value, 1, UINT32_MAX,
                          &limits->pending_launches);
    case cudaLimitMaxL2FetchGranularity:
        if (value > L2_FETCH_MOST) {
            return cudaErrorInvalidValue;
        }
        atomic_store(&device->l2_fetch_granularity, value);
        return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
        if (value > PERSISTING_L2_DEFAULT) {
            return cudaErrorInvalidValue;
        }
        atomic_store(&device->persisting_l2, value);
        return cudaSuccess;
    case LIMIT_SHARED_PER_BLOCK:
    case LIMIT_GRAPHICS:
        return cudaErrorNotPermitted;
    case LIMIT_GRAPHICS_SHARED:
        return cudaErrorUnsupportedLimit;
    default:
        return cudaErrorInvalidValue;
    }
}

void cdp_property_reset_limits(struct cdp_runtime *runtime, struct cdp_device *device)
{
    struct cdp_engine_limits *limits = cdp_engine_limits(runtime->engine, device->number);
    limits->sync_depth = SYNC_DEPTH_DEFAULT;
    limits->pending_launches = PENDING_DEFAULT;
    limits->printf_fifo = CDP_PRINTF_FIFO_DEFAULT;
    limits->stack_size = STACK_DEFAULT;
    cdp_engine_limit_output(runtime->engine, device->number, 0);
    atomic_store(&device->l2_fetch_granularity, L2_FETCH_DEFAULT);
    atomic_store(&device->persisting_l2, PERSISTING_L2_DEFAULT);
    (void)!cdp_heap_set_limit(&device->device_heap, CDP_DEVICE_HEAP_DEFAULT);
}

/* ---- Properties ---- */

/* The processor's name as the system reports it. */
static void describe_numbers(const struct cdp_profile *profile, struct cudaDeviceProp *out)
{
    const struct cdp_capability *limits = profile->capability;
    out->sharedMemPerBlock = CDP_MOST_SHARED;
    out->regsPerBlock = CDP_REGISTERS;
    out->warpSize = CDP_WARP_SIZE;
    out->memPitch = MOST_PITCH;
    out->maxThreadsPerBlock = CDP_MOST_THREADS;
    out->maxThreadsDim[0] = out->maxThreadsDim[1] = CDP_MOST_THREADS;
    out->maxThreadsDim[2] = CDP_MOST_BLOCK_Z;
    out->maxGridSize[0] = CDP_MOST_GRID_X;
    out->maxGridSize[1] = out->maxGridSize[2] = CDP_MOST_GRID_YZ;
    out->clockRate = profile->clock_khz;
    out->totalConstMem = CONSTANT_BYTES;
    out->major = limits->major;
    out->minor = limits->minor;
    out->textureAlignment = out->surfaceAlignment = ALIGNMENT;
    out->texturePitchAlignment = 32;
    out->multiProcessorCount = multiprocessors(profile);
    out->computeMode = cudaComputeModeDefault;
    out->ECCEnabled = has_ecc(profile);
    out->asyncEngineCount = 1;
    out->memoryClockRate = profile->memory_clock_khz;
    out->memoryBusWidth = profile->bus_bits;
    out->l2CacheSize = profile->l2_bytes;
    out->persistingL2CacheMaxSize = PERSISTING_L2_DEFAULT;
    out->maxThreadsPerMultiProcessor = limits->threads;
    out->sharedMemPerMultiprocessor = (size_t)limits->shared;
    out->regsPerMultiprocessor = CDP_REGISTERS;
    out->singleToDoublePrecisionPerfRatio = limits->ratio;
    out->sharedMemPerBlockOptin = (size_t)limits->optin;
    out->maxBlocksPerMultiProcessor = limits->blocks;
    out->reservedSharedMemPerBlock = (size_t)limits->reserved;
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
    out->cooperativeLaunch = 1;
    out->pageableMemoryAccessUsesHostPageTables = accesses_host_memory();
    out->directManagedMemAccessFromHost = 1;
    out->hostRegisterSupported = 1;
    out->hostRegisterReadOnlySupported = 1;
    out->memoryPoolsSupported = 1;
    out->ipcEventSupported = 1;
    out->memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
    out->clusterLaunch = out->major >= 9;
    out->unifiedFunctionPointers = 1;
}

void cdp_property_describe(unsigned device, struct cudaDeviceProp *out)
{
    memset(out, 0, sizeof *out);
    const struct cdp_profile *profile = profile_of(device);
    cdp_profile_name(profile, out->name, sizeof out->name);
    unsigned machine = cdp_runtime_running()->devices[device].machine;
    cdp_profile_uuid(machine, (unsigned char *)out->uuid.bytes);
    out->pciBusID = (int)machine;
    out->totalGlobalMem = cdp_heap_limit(&cdp_runtime_running()->devices[device].memory);
    describe_numbers(profile, out);
    describe_textures(out);
    describe_abilities(out);
    out->integrated = profile->name == NULL;
}
