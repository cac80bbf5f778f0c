/* Devices: which is current, properties, limits, synchronization, reset, peers. */
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/leak.h"
#include "api/profile.h"
#include "api/properties.h"
#include "api/runtime.h"
#include "api/unwaited.h"
#include "exec/report/profile.h"
#include "exec/state/engine.h"
#include "mem/import.h"
#include "mem/memmap.h"

#define STREAM_PRIORITY_GREATEST (-5)

cudaError_t cudaDeviceSynchronize(void)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_device(&error)) {
        return error;
    }
    cdp_streams_synchronize(runtime->streams, cdp_device_number);
    return cdp_api_synchronized(runtime, CDP_OK);
}

cudaError_t cudaThreadSynchronize(void)
{
    CDP_PROFILE_CALL();
    return cudaDeviceSynchronize();
}

/* No device has access to the other one's memory. */
static void forget_peers(struct cdp_runtime *runtime, struct cdp_device *device)
{
    struct cdp_engine_device *devices = runtime->engine->devices;
    atomic_store(&devices[device->number].peers, 0);
    atomic_store(&devices[device->number].pool_readers, 0);
    for (unsigned i = 0; i < runtime->device_count; i++) {
        atomic_fetch_and(&devices[i].peers, ~(1u << device->number));
        atomic_fetch_and(&devices[i].pool_readers, ~(1u << device->number));
    }
    cdp_device_access_ended();
}

static void reset_state(struct cdp_runtime *runtime, struct cdp_device *device)
{
    cdp_engine_flush_output(runtime->engine, device->number);
    cdp_engine_clear_fault(runtime->engine, device->number);
    atomic_store(&device->deferred_error, 0);
    cdp_memory_pool_init(&device->pool, CDP_POOL_DEFAULT, device->number);
    atomic_store(&device->pool_in_use, &device->pool);
    cdp_property_reset_limits(runtime, device);
    atomic_store(&device->cache_config, cudaFuncCachePreferNone);
    forget_peers(runtime, device);
}

/* After a reset the state of the device is that after the start, but device variables keep their
 * values. A program that resets a device to get initial values starts a new process. Graphs and the
 * attributes of kernels belong to no device: they stay if there are others. */
cudaError_t cudaDeviceReset(void)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_device *device = cdp_device_current(runtime);
    bool is_only = runtime->device_count == 1;
    cdp_leak_report(runtime, device->number);
    cdp_leak_forget(device->number);
    cdp_streams_reset(runtime->streams, device->number);
    cdp_captures_reset(device->number);
    cdp_execs_reset(runtime, device->number);
    if (is_only) {
        cdp_graphs_reset();
        cdp_registry_reset_kernels();
    }
    cdp_unwaited_clear();
    cdp_table_clear(&runtime->textures, &device->memory, is_only);
    cdp_import_reset(device->number);
    cdp_heap_reset(&device->memory);
    cdp_heap_reset(&device->device_heap);
    cdp_memmap_reset(device->number);
    reset_state(runtime, device);
    cdp_error_forget_last();
    return cudaSuccess;
}

cudaError_t cudaThreadExit(void)
{
    CDP_PROFILE_CALL();
    return cudaDeviceReset();
}

/* ---- Which device ---- */

/* Success, or the error for a wrong device or a missing result pointer. */
static cudaError_t check(const void *out, int device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (out == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cdp_device_exists(runtime, device) ? cudaSuccess : cdp_api_fail(cudaErrorInvalidDevice);
}

/* The same for calls that query the device itself: after a fault they return the fault. */
static cudaError_t check_well(const void *out)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    return out != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(count, 0);
    if (error == cudaSuccess) {
        *count = (int)cdp_runtime_running()->device_count;
    }
    return error;
}

cudaError_t cudaGetDevice(int *device)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(device, 0);
    if (error == cudaSuccess) {
        *device = (int)cdp_device_number;
    }
    return error;
}

/* Whether the calling thread has chosen its device by cudaSetDevice. */
static __thread bool has_chosen;

cudaError_t cudaSetDevice(int device)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check("", device);
    if (error == cudaSuccess) {
        cdp_device_number = (unsigned)device;
        has_chosen = true;
    }
    return error;
}

static cudaError_t set_flags(unsigned device, unsigned int flags)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    unsigned schedule = flags & cudaDeviceScheduleMask;
    if ((flags & ~(unsigned)cudaDeviceMask) != 0 || (schedule & (schedule - 1)) != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    atomic_store(&runtime->devices[device].flags, flags);
    return cudaSuccess;
}

/* As on hardware, other flags have no effect. */
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check("", device);
    bool sets = error == cudaSuccess && (flags & cudaInitDeviceFlagsAreValid) != 0;
    return sets ? set_flags((unsigned)device, device_flags) : error;
}

/* The first device of the list is current, unless the thread has chosen one. */
cudaError_t cudaSetValidDevices(int *devices, int count)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(count > 0 ? (const void *)devices : "", 0);
    if (error == cudaSuccess && count < 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    for (int i = 0; error == cudaSuccess && i < count; i++) {
        error = devices[i] < 0 ? cdp_api_fail(cudaErrorInvalidValue) : check("", devices[i]);
    }
    if (error == cudaSuccess && !has_chosen) {
        cdp_device_number = count > 0 ? (unsigned)devices[0] : 0;
    }
    return error;
}

/* Whether a device has what is asked for; zero fields ask for nothing. */
static bool has(const struct cudaDeviceProp *own, const struct cudaDeviceProp *wanted)
{
    bool is_later =
        own->major > wanted->major || (own->major == wanted->major && own->minor >= wanted->minor);
    return is_later && own->totalGlobalMem >= wanted->totalGlobalMem &&
           own->multiProcessorCount >= wanted->multiProcessorCount;
}

/* The first device that has all that is asked for, or else the current one. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(device != NULL ? (const void *)prop : NULL, 0);
    if (error != cudaSuccess) {
        return error;
    }
    int count = (int)cdp_runtime_running()->device_count;
    for (int i = 0; i < count; i++) {
        struct cudaDeviceProp own;
        cdp_property_describe((unsigned)i, &own);
        if (has(&own, prop)) {
            *device = i;
            return cudaSuccess;
        }
    }
    return cudaGetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    CDP_PROFILE_CALL();
    return set_flags(cdp_device_number, flags);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(flags, 0);
    if (error == cudaSuccess) {
        *flags = atomic_load(&cdp_device_current(cdp_runtime_running())->flags);
    }
    return error;
}

/* ---- Properties ---- */

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(prop, device);
    if (error == cudaSuccess) {
        cdp_property_describe((unsigned)device, prop);
    }
    return error;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(value, device);
    return error != cudaSuccess
               ? error
               : cdp_api_fail(cdp_property_attribute((unsigned)device, value, attr));
}

static cudaError_t tell_version(int *version)
{
    if (version == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    CDP_PROFILE_CALL();
    return tell_version(version);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    CDP_PROFILE_CALL();
    return tell_version(version);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(id, device);
    if (error != cudaSuccess) {
        return error;
    }
    if (length < (int)CDP_PCI_ID_BYTES) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cdp_profile_pci_id(cdp_runtime_running()->devices[device].machine, id);
    return cudaSuccess;
}

struct pci_place {
    unsigned domain, bus, slot, function;
};

/* domain:bus:device.function, also without the domain or the function, and nothing more. */
static bool parse_pci_id(const char *id, struct pci_place *at)
{
    int end = 0;
    *at = (struct pci_place){.domain = 0};
    if (sscanf(id, "%x:%x:%x.%x%n", &at->domain, &at->bus, &at->slot, &at->function, &end) == 4 ||
        (sscanf(id, "%x:%x:%x%n", &at->domain, &at->bus, &at->slot, &end) == 3 && end > 0)) {
        return id[end] == '\0';
    }
    at->domain = 0;
    return sscanf(id, "%x:%x.%x%n", &at->bus, &at->slot, &at->function, &end) == 3 &&
           id[end] == '\0';
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(device != NULL ? (const void *)id : NULL, 0);
    if (error != cudaSuccess) {
        return error;
    }
    struct pci_place at;
    if (!parse_pci_id(id, &at)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    const struct cdp_runtime *runtime = cdp_runtime_running();
    unsigned number = cdp_device_of_machine(runtime, at.bus);
    if ((at.domain | at.slot | at.function) != 0 || number == runtime->device_count) {
        return cdp_api_fail(cudaErrorInvalidDevice);
    }
    *device = (int)number;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_well("");
    if (error == cudaSuccess && least != NULL) {
        *least = 0;
    }
    if (error == cudaSuccess && greatest != NULL) {
        *greatest = STREAM_PRIORITY_GREATEST;
    }
    return error;
}

/* ---- Limits and preferences ---- */

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_well(value);
    return error != cudaSuccess ? error
                                : cdp_api_fail(cdp_property_limit(cdp_device_number, value, limit));
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_capture_enter_unsafe(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_streams_synchronize(runtime->streams, cdp_device_number);
    return cdp_api_fail(cdp_property_set_limit(runtime, limit, value));
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    CDP_PROFILE_CALL();
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    CDP_PROFILE_CALL();
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_well(config);
    if (error == cudaSuccess) {
        *config = (enum cudaFuncCache)atomic_load(
            &cdp_device_current(cdp_runtime_running())->cache_config);
    }
    return error;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_well("");
    if (error != cudaSuccess) {
        return error;
    }
    if ((unsigned)config > cudaFuncCachePreferEqual) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    atomic_store(&cdp_device_current(cdp_runtime_running())->cache_config, (uint32_t)config);
    return cudaSuccess;
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    CDP_PROFILE_CALL();
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    CDP_PROFILE_CALL();
    return cudaDeviceSetCacheConfig(config);
}

/* GPUs since compute capability 5.0 have one size of banks, and accept the others without effect.
 */
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_well(config);
    if (error == cudaSuccess) {
        *config = cudaSharedMemBankSizeFourByte;
    }
    return error;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_well("");
    if (error != cudaSuccess) {
        return error;
    }
    return (unsigned)config <= cudaSharedMemBankSizeEightByte ? cudaSuccess
                                                              : cdp_api_fail(cudaErrorInvalidValue);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    CDP_PROFILE_CALL();
    return check_well("");
}

/* ---- Peers: each device can access the memory of each other one ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(can, device);
    error = error != cudaSuccess ? error : check("", peer);
    if (error == cudaSuccess) {
        *can = device != peer;
    }
    return error;
}

/* The current device's bits of access, and the peer's bit. */
static cudaError_t find_peer(int peer, _Atomic uint32_t **peers, uint32_t *bit)
{
    cudaError_t error = check_well("");
    error = error != cudaSuccess ? error : check("", peer);
    if (error == cudaSuccess) {
        *peers = &cdp_runtime_running()->engine->devices[cdp_device_number].peers;
        *bit = 1u << peer;
    }
    return error;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    CDP_PROFILE_CALL();
    _Atomic uint32_t *peers;
    uint32_t bit;
    cudaError_t error = find_peer(peer, &peers, &bit);
    if (error != cudaSuccess) {
        return error;
    }
    if (flags != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if ((unsigned)peer == cdp_device_number) {
        return cdp_api_fail(cudaErrorPeerAccessUnsupported);
    }
    bool was_enabled = (atomic_fetch_or(peers, bit) & bit) != 0;
    return was_enabled ? cdp_api_fail(cudaErrorPeerAccessAlreadyEnabled) : cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    CDP_PROFILE_CALL();
    _Atomic uint32_t *peers;
    uint32_t bit;
    cudaError_t error = find_peer(peer, &peers, &bit);
    if (error != cudaSuccess) {
        return error;
    }
    bool was_enabled = (atomic_fetch_and(peers, ~bit) & bit) != 0;
    cdp_device_access_ended();
    return was_enabled ? cudaSuccess : cdp_api_fail(cudaErrorPeerAccessNotEnabled);
}

/* All devices are equally near, and their atomic operations are the processor's. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check(value, src);
    error = error != cudaSuccess ? error : check("", dst);
    if (error != cudaSuccess || src == dst) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidDevice);
    }
    switch ((int)attr) {
    case cudaDevP2PAttrPerformanceRank:
        *value = 0;
        return cudaSuccess;
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
        *value = 1;
        return cudaSuccess;
    default:
        return cdp_api_fail(cudaErrorInvalidValue);
    }
}

/* ---- Profiling: there is no profiler, which CUDA does not treat as an error ---- */

cudaError_t cudaProfilerStart(void)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    return cdp_capture_enter_unsafe(&runtime);
}

cudaError_t cudaProfilerStop(void)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    return cdp_capture_enter_unsafe(&runtime);
}
