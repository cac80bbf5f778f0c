/* The device: properties, limits, synchronization, reset. */
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/leak.h"
#include "api/properties.h"
#include "api/runtime.h"
#include "api/unwaited.h"
#include "mem/memmap.h"

#define PCI_BUS_ID "0000:00:00.0"
#define STREAM_PRIORITY_GREATEST (-5)

cudaError_t cudaDeviceSynchronize(void)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_device(&error)) {
        return error;
    }
    cdp_streams_synchronize(runtime->streams);
    return cdp_api_synchronized(runtime, CDP_OK);
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

/* After a reset the state is that after the start, but device variables keep their values. A
 * program that resets a device to get initial values starts a new process. */
cudaError_t cudaDeviceReset(void)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_leak_report(runtime);
    cdp_leak_forget();
    cdp_streams_reset(runtime->streams);
    cdp_captures_reset();
    cdp_execs_reset(runtime);
    cdp_graphs_reset();
    cdp_unwaited_clear();
    cdp_engine_flush_output(runtime->engine);
    cdp_engine_clear_fault(runtime->engine);
    atomic_store(&runtime->deferred_error, 0);
    cdp_table_clear(&runtime->textures, cdp_array_forget, NULL);
    cdp_heap_reset(&runtime->device);
    cdp_heap_reset(&runtime->device_heap);
    cdp_memmap_reset();
    cdp_registry_reset_kernels();
    cdp_property_reset_limits(runtime);
    atomic_store(&runtime->cache_config, cudaFuncCachePreferNone);
    atomic_store(&runtime->shared_config, cudaSharedMemBankSizeDefault);
    cdp_error_forget_last();
    return cudaSuccess;
}

cudaError_t cudaThreadExit(void)
{
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
    return device == 0 ? cudaSuccess : cdp_api_fail(cudaErrorInvalidDevice);
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
    cudaError_t error = check(count, 0);
    if (error == cudaSuccess) {
        *count = 1;
    }
    return error;
}

cudaError_t cudaGetDevice(int *device)
{
    cudaError_t error = check(device, 0);
    if (error == cudaSuccess) {
        *device = 0;
    }
    return error;
}

cudaError_t cudaSetDevice(int device)
{
    return check("", device);
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
    cudaError_t error = check("", device);
    if (error == cudaSuccess && (flags & ~(unsigned)cudaInitDeviceFlagsAreValid) != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess && flags != 0) {
        return cudaSetDeviceFlags(device_flags);
    }
    return error;
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    cudaError_t error = check(count > 0 ? (const void *)devices : "", 0);
    for (int i = 0; error == cudaSuccess && i < count; i++) {
        error = devices[i] == 0 ? cudaSuccess : cdp_api_fail(cudaErrorInvalidDevice);
    }
    return error;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    cudaError_t error = check(prop, 0);
    return error != cudaSuccess ? error : cudaGetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
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
    atomic_store(&runtime->device_flags, flags);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    cudaError_t error = check(flags, 0);
    if (error == cudaSuccess) {
        *flags = atomic_load(&cdp_runtime_running()->device_flags);
    }
    return error;
}

/* ---- Properties ---- */

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    cudaError_t error = check(prop, device);
    if (error == cudaSuccess) {
        cdp_property_describe(prop);
    }
    return error;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    cudaError_t error = check(value, device);
    return error != cudaSuccess ? error : cdp_api_fail(cdp_property_attribute(value, attr));
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
    return tell_version(version);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    return tell_version(version);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    cudaError_t error = check(id, device);
    if (error != cudaSuccess) {
        return error;
    }
    if (length < (int)sizeof PCI_BUS_ID) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    memcpy(id, PCI_BUS_ID, sizeof PCI_BUS_ID);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    cudaError_t error = check(id, 0);
    if (error != cudaSuccess) {
        return error;
    }
    unsigned domain = 0, bus, slot, function = 0;
    bool parsed = sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) == 4 ||
                  (domain = 0, sscanf(id, "%x:%x.%x", &bus, &slot, &function) == 3);
    if (!parsed || (domain | bus | slot | function) != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaGetDevice(device);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
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
    cudaError_t error = check_well(value);
    return error != cudaSuccess ? error : cdp_api_fail(cdp_property_limit(value, limit));
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_streams_synchronize(runtime->streams);
    return cdp_api_fail(cdp_property_set_limit(runtime, limit, value));
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    cudaError_t error = check_well(config);
    if (error == cudaSuccess) {
        *config = (enum cudaFuncCache)atomic_load(&cdp_runtime_running()->cache_config);
    }
    return error;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    cudaError_t error = check_well("");
    if (error != cudaSuccess) {
        return error;
    }
    if ((unsigned)config > cudaFuncCachePreferEqual) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    atomic_store(&cdp_runtime_running()->cache_config, (uint32_t)config);
    return cudaSuccess;
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    cudaError_t error = check_well(config);
    if (error == cudaSuccess) {
        *config = (enum cudaSharedMemConfig)atomic_load(&cdp_runtime_running()->shared_config);
    }
    return error;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    cudaError_t error = check_well("");
    if (error != cudaSuccess) {
        return error;
    }
    if ((unsigned)config > cudaSharedMemBankSizeEightByte) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    atomic_store(&cdp_runtime_running()->shared_config, (uint32_t)config);
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return check_well("");
}

/* ---- Peers: there are none ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    cudaError_t error = check(can, device);
    if (error != cudaSuccess) {
        return error;
    }
    if (peer != 0) {
        return cdp_api_fail(cudaErrorInvalidDevice);
    }
    *can = 0;
    return cudaSuccess;
}

/* A device is not its own peer. */
static cudaError_t refuse_peer(int peer, cudaError_t itself)
{
    cudaError_t error = check_well("");
    return error != cudaSuccess ? error : cdp_api_fail(peer == 0 ? itself : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)flags;
    return refuse_peer(peer, cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return refuse_peer(peer, cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst)
{
    cudaError_t error = check(value, src);
    (void)attr, (void)dst;
    return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidDevice);
}

/* ---- Profiling: there is no profiler, which CUDA does not treat as an error ---- */

cudaError_t cudaProfilerStart(void)
{
    return check_well("");
}

cudaError_t cudaProfilerStop(void)
{
    return check_well("");
}
