/* Memory pools and advice. There is one pool, the device's default one: all of device memory. The
 * properties that programs set on it are stored and returned, without effect. mem/heap.c decides
 * when memory returns to the system. */
#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/runtime.h"
#include "mem/memmap.h"

/* Not a valid address, so a program that dereferences it faults at once. */
#define DEFAULT_POOL ((cudaMemPool_t)(uintptr_t)UINT64_C(0x5000000000000001))

/* Pools are only bookkeeping, so they work after a fault of the device. */
static cudaError_t enter(struct cdp_runtime **runtime, cudaMemPool_t pool, const void *out)
{
    cudaError_t error = cdp_api_enter_any(runtime);
    if (error == cudaSuccess && (pool != DEFAULT_POOL || out == NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return error;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = enter(&runtime, DEFAULT_POOL, pool);
    if (error != cudaSuccess) {
        return error;
    }
    if (device != 0) {
        return cdp_api_fail(cudaErrorInvalidDevice);
    }
    *pool = DEFAULT_POOL;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    struct cdp_runtime *runtime;
    cudaError_t error = enter(&runtime, pool, "");
    return error == cudaSuccess && device != 0 ? cdp_api_fail(cudaErrorInvalidDevice) : error;
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    struct cdp_runtime *runtime;
    cudaError_t error = enter(&runtime, pool, ptr);
    return error != cudaSuccess ? error : cudaMallocAsync(ptr, size, stream);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    struct cdp_runtime *runtime;
    (void)keep;
    return enter(&runtime, pool, "");
}

static bool is_reuse(enum cudaMemPoolAttr attr)
{
    return attr >= cudaMemPoolReuseFollowEventDependencies &&
           attr <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    struct cdp_runtime *runtime;
    cudaError_t error = enter(&runtime, pool, value);
    if (error != cudaSuccess) {
        return error;
    }
    if (is_reuse(attr)) {
        atomic_store(&runtime->pool_reuse[attr - 1], *(const uint32_t *)value != 0);
    } else if (attr == cudaMemPoolAttrReleaseThreshold) {
        atomic_store(&runtime->pool_release_threshold, *(const uint64_t *)value);
    } else if ((attr != cudaMemPoolAttrReservedMemHigh && attr != cudaMemPoolAttrUsedMemHigh) ||
               *(const uint64_t *)value != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    struct cdp_runtime *runtime;
    cudaError_t error = enter(&runtime, pool, value);
    if (error != cudaSuccess) {
        return error;
    }
    if (is_reuse(attr)) {
        *(uint32_t *)value = atomic_load(&runtime->pool_reuse[attr - 1]);
    } else if (attr == cudaMemPoolAttrReleaseThreshold) {
        *(uint64_t *)value = atomic_load(&runtime->pool_release_threshold);
    } else if (attr >= cudaMemPoolAttrReservedMemCurrent && attr <= cudaMemPoolAttrUsedMemHigh) {
        *(uint64_t *)value =
            cdp_heap_limit(&runtime->device) - cdp_heap_available(&runtime->device);
    } else {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    struct cdp_runtime *runtime;
    cudaError_t error = enter(&runtime, pool, count > 0 ? (const void *)list : "");
    for (size_t i = 0; error == cudaSuccess && i < count; i++) {
        if (list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id != 0) {
            return cdp_api_fail(cudaErrorInvalidDevice);
        }
        if (list[i].flags != cudaMemAccessFlagsProtReadWrite) {
            return cdp_api_fail(cudaErrorInvalidValue);
        }
    }
    return error;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    struct cdp_runtime *runtime;
    cudaError_t error = enter(&runtime, pool, flags);
    if (error != cudaSuccess) {
        return error;
    }
    if (location == NULL || location->type != cudaMemLocationTypeDevice || location->id != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *flags = cudaMemAccessFlagsProtReadWrite;
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
    return device == 0 || device == cudaCpuDeviceId ? cudaSuccess
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
