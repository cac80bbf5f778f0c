/* Memory pools and advice. Each device has one pool, the default one: all of its memory. The
 * properties that programs set on it are stored and returned, without effect. mem/heap.c decides
 * when memory returns to the system. */
#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/memory.h"
#include "api/runtime.h"
#include "exec/state/engine.h"
#include "mem/memmap.h"

/* The pool of device 0; the others follow. Not a valid address, so a program that dereferences it
 * faults at once. */
#define FIRST_POOL UINT64_C(0x5000000000000001)

static cudaMemPool_t pool_of(int device)
{
    return (cudaMemPool_t)(uintptr_t)(FIRST_POOL + (unsigned)device);
}

/* Pools are only bookkeeping, so they work after a fault of the device. */
static cudaError_t enter(struct cdp_runtime **runtime, cudaMemPool_t pool, const void *out,
                         struct cdp_device **device)
{
    cudaError_t error = cdp_api_enter_any(runtime);
    uint64_t number = (uintptr_t)(void *)pool - FIRST_POOL;
    if (error == cudaSuccess && (number >= (*runtime)->device_count || out == NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess) {
        *device = &(*runtime)->devices[number];
    }
    return error;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (pool == NULL || !cdp_device_exists(runtime, device)) {
        return cdp_api_fail(pool == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    }
    *pool = pool_of(device);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    struct cdp_runtime *runtime;
    struct cdp_device *owner;
    cudaError_t error = enter(&runtime, pool, "", &owner);
    if (error != cudaSuccess || (int)owner->number == device) {
        return error;
    }
    /* The pool of another device is no pool for this one. Hardware answers so also for devices that
     * do not exist. */
    return cdp_api_fail(cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    struct cdp_runtime *runtime;
    struct cdp_device *device;
    cudaError_t error = enter(&runtime, pool, ptr, &device);
    return error != cudaSuccess ? error
                                : cdp_memory_allocate_async((int)device->number, ptr, size, stream,
                                                            __builtin_return_address(0));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    struct cdp_runtime *runtime;
    struct cdp_device *device;
    (void)keep;
    return enter(&runtime, pool, "", &device);
}

static bool is_reuse(enum cudaMemPoolAttr attr)
{
    return attr >= cudaMemPoolReuseFollowEventDependencies &&
           attr <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    struct cdp_runtime *runtime;
    struct cdp_device *device;
    cudaError_t error = enter(&runtime, pool, value, &device);
    if (error != cudaSuccess) {
        return error;
    }
    if (is_reuse(attr)) {
        atomic_store(&device->pool_reuse[attr - 1], *(const uint32_t *)value != 0);
    } else if (attr == cudaMemPoolAttrReleaseThreshold) {
        atomic_store(&device->pool_release_threshold, *(const uint64_t *)value);
    } else if ((attr != cudaMemPoolAttrReservedMemHigh && attr != cudaMemPoolAttrUsedMemHigh) ||
               *(const uint64_t *)value != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    struct cdp_runtime *runtime;
    struct cdp_device *device;
    cudaError_t error = enter(&runtime, pool, value, &device);
    if (error != cudaSuccess) {
        return error;
    }
    if (is_reuse(attr)) {
        *(uint32_t *)value = atomic_load(&device->pool_reuse[attr - 1]);
    } else if (attr == cudaMemPoolAttrReleaseThreshold) {
        *(uint64_t *)value = atomic_load(&device->pool_release_threshold);
    } else if (attr >= cudaMemPoolAttrReservedMemCurrent && attr <= cudaMemPoolAttrUsedMemHigh) {
        *(uint64_t *)value = cdp_heap_limit(&device->memory) - cdp_heap_available(&device->memory);
    } else {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    struct cdp_runtime *runtime;
    struct cdp_device *device;
    cudaError_t error = enter(&runtime, pool, count > 0 ? (const void *)list : "", &device);
    for (size_t i = 0; error == cudaSuccess && i < count; i++) {
        if (list[i].location.type != cudaMemLocationTypeDevice ||
            !cdp_device_exists(runtime, list[i].location.id)) {
            return cdp_api_fail(cudaErrorInvalidDevice);
        }
        uint32_t bit = 1u << list[i].location.id;
        _Atomic uint32_t *readers = &runtime->engine->devices[device->number].pool_readers;
        bool is_own = list[i].location.id == (int)device->number;
        if (list[i].flags == cudaMemAccessFlagsProtReadWrite) {
            atomic_fetch_or(readers, is_own ? 0 : bit);
        } else if (list[i].flags == cudaMemAccessFlagsProtNone && !is_own) {
            atomic_fetch_and(readers, ~bit);
            cdp_device_access_ended();
        } else { /* hardware's answer also to other flags, and to the pool's own device */
            return cdp_api_fail(cudaErrorInvalidDevice);
        }
    }
    return error;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    struct cdp_runtime *runtime;
    struct cdp_device *device;
    cudaError_t error = enter(&runtime, pool, flags, &device);
    if (error != cudaSuccess) {
        return error;
    }
    if (location == NULL || location->type != cudaMemLocationTypeDevice ||
        !cdp_device_exists(runtime, location->id)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    bool may =
        location->id == (int)device->number ||
        (atomic_load(&runtime->engine->devices[device->number].pool_readers) >> location->id & 1) !=
            0;
    *flags = may ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}

/* ---- Advice: managed memory is everywhere at once ---- */

/* Whether [ptr, ptr + size) lies in one managed allocation or variable. */
static bool is_managed(const void *ptr, size_t size)
{
    struct cdp_memory memory;
    cdp_memmap_find(ptr, &memory);
    bool managed = memory.space == CDP_SPACE_VARIABLE ||
                   (memory.space == CDP_SPACE_DEVICE && memory.kind == CDP_MEMORY_MANAGED);
    size_t offset = managed ? (size_t)((const char *)ptr - memory.base) : 0;
    return managed && size > 0 && offset <= memory.size && size <= memory.size - offset;
}

static cudaError_t check_advice(const void *ptr, size_t size, int device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (!is_managed(ptr, size)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cdp_device_exists(runtime, device) || device == cudaCpuDeviceId
               ? cudaSuccess
               : cdp_api_fail(cudaErrorInvalidDevice);
}

cudaError_t cudaMemAdvise(const void *ptr, size_t size, enum cudaMemoryAdvise advice, int device)
{
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    bool needs_device = advice != cudaMemAdviseSetReadMostly &&
                        advice != cudaMemAdviseUnsetReadMostly &&
                        advice != cudaMemAdviseUnsetPreferredLocation;
    return check_advice(ptr, size, needs_device ? device : 0);
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t size, int device, cudaStream_t stream)
{
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    return error != cudaSuccess ? error : check_advice(ptr, size, device);
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_size, enum cudaMemRangeAttribute attr,
                                     const void *ptr, size_t size)
{
    cudaError_t error = check_advice(ptr, size, 0);
    if (error != cudaSuccess) {
        return error;
    }
    bool is_list = attr == cudaMemRangeAttributeAccessedBy;
    if (data == NULL || data_size == 0 || data_size % sizeof(int) != 0 ||
        (!is_list && data_size != sizeof(int))) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    int none = attr == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;
    for (size_t i = 0; i < data_size / sizeof(int); i++) {
        ((int *)data)[i] = none;
    }
    return cudaSuccess;
}
