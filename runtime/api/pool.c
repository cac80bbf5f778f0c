/* Memory pools. Each device has a default pool. The properties that programs set on a
 * pool are stored and returned, without effect. mem/heap.c decides when memory returns to the
 * system. */
#include "api/pool.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/error.h"
#include "api/ipc.h"
#include "api/memory.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "exec/report/profile.h"
#include "exec/state/engine.h"
#include "mem/import.h"
#include "mem/memmap.h"
#include "os/os.h"
#include "os/shared.h"

/* The handle of device 0's default pool; the others follow. Not a valid address, so a program that
 * dereferences it faults at once. */
#define FIRST_POOL UINT64_C(0x5000000000000001)
enum { POOL_TAG = 0x51 /* 'Q' */ };

/* The pools that the program made or imported. */
static struct {
    struct cdp_lock lock;
    struct cdp_handle_table handles CDP_GUARDED_BY(&lock);
    uint32_t latest CDP_GUARDED_BY(&lock); /* number */
    /* Destroyed pools, by next. They are used again, never freed: another thread may still allocate
     * from a pool that was the current one. */
    struct cdp_memory_pool *destroyed CDP_GUARDED_BY(&lock);
} made = {.lock = CDP_LOCK_INITIAL(CDP_RANK_IMPORTS),
          .handles = {.tag = POOL_TAG},
          .latest = CDP_POOL_DEFAULT};

void cdp_memory_pool_init(struct cdp_memory_pool *pool, uint32_t number, unsigned device)
{
    *pool = (struct cdp_memory_pool){
        .number = number, .device = device, .handle = FIRST_POOL + device, .fd = -1};
    for (int i = 0; i < 3; i++) {
        atomic_init(&pool->reuse[i], 1);
    }
}

static struct cdp_memory_pool *find(struct cdp_runtime *runtime, cudaMemPool_t handle)
{
    uint64_t number = (uintptr_t)(void *)handle - FIRST_POOL;
    if (number < runtime->device_count) {
        return &runtime->devices[number].pool;
    }
    cdp_lock_acquire(&made.lock);
    struct cdp_memory_pool *pool = cdp_handle_find(&made.handles, (uintptr_t)(void *)handle);
    cdp_lock_release(&made.lock);
    return pool;
}

/* Pools are only bookkeeping, so they work after a fault of the device. */
static cudaError_t enter(struct cdp_runtime **runtime, cudaMemPool_t handle, const void *out,
                         struct cdp_memory_pool **pool)
{
    cudaError_t error = cdp_api_enter_any(runtime);
    if (error == cudaSuccess) {
        *pool = find(*runtime, handle);
        if (*pool == NULL || out == NULL) {
            return cdp_api_fail(cudaErrorInvalidValue);
        }
    }
    return error;
}

/* ---- Which pools there are ---- */

static cudaError_t check_device(struct cdp_runtime **runtime, const void *out, int device)
{
    cudaError_t error = cdp_api_enter_any(runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (out == NULL || !cdp_device_exists(*runtime, device)) {
        return cdp_api_fail(out == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = check_device(&runtime, pool, device);
    if (error == cudaSuccess) {
        *pool = (cudaMemPool_t)(uintptr_t)runtime->devices[device].pool.handle;
    }
    return error;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = check_device(&runtime, pool, device);
    if (error == cudaSuccess) {
        const struct cdp_memory_pool *used = atomic_load(&runtime->devices[device].pool_in_use);
        *pool = (cudaMemPool_t)(uintptr_t)used->handle;
    }
    return error;
}

/* The pool of another device is no pool for this one. Hardware answers so also for devices that do
 * not exist. */
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    cudaError_t error = enter(&runtime, handle, "", &pool);
    if (error == cudaSuccess && ((int)pool->device != device || pool->fd >= 0)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess) {
        atomic_store(&runtime->devices[device].pool_in_use, pool);
    }
    return error;
}

/* Takes over the descriptor, also after an error. NULL: no memory. */
static struct cdp_memory_pool *add(unsigned device, int fd, cudaMemPool_t *handle)
{
    cdp_lock_acquire(&made.lock);
    struct cdp_memory_pool *pool = made.destroyed;
    if (pool != NULL) {
        made.destroyed = pool->next;
    }
    cdp_lock_release(&made.lock);
    pool = pool != NULL ? pool : cdp_alloc(sizeof *pool);
    if (pool != NULL) {
        cdp_lock_acquire(&made.lock);
        cdp_memory_pool_init(pool, made.latest + 1, device);
        pool->fd = fd;
        pool->handle = cdp_handle_create(&made.handles, pool);
        made.latest += pool->handle != 0;
        cdp_lock_release(&made.lock);
    }
    if (pool != NULL && pool->handle != 0) {
        *handle = (cudaMemPool_t)(uintptr_t)pool->handle;
        return pool;
    }
    if (fd >= 0) {
        cdp_os_shared_close(fd);
    }
    cdp_free(pool);
    return NULL;
}

static cudaError_t check_props(const struct cdp_runtime *runtime,
                               const struct cudaMemPoolProps *props)
{
    bool is_reserved_zero = true;
    for (size_t i = 0; i < sizeof props->reserved; i++) {
        is_reserved_zero &= props->reserved[i] == 0;
    }
    if (props->allocType != cudaMemAllocationTypePinned || !is_reserved_zero) {
        return cudaErrorInvalidValue;
    }
    if (props->location.type != cudaMemLocationTypeDevice) {
        return props->location.type == cudaMemLocationTypeInvalid ? cudaErrorInvalidValue
                                                                  : cudaErrorNotSupported;
    }
    if (!cdp_device_exists(runtime, props->location.id)) {
        return cudaErrorInvalidValue;
    }
    switch ((int)props->handleTypes) {
    case cudaMemHandleTypeNone:
    case cudaMemHandleTypePosixFileDescriptor:
        return cudaSuccess;
    case cudaMemHandleTypeFabric:
    case cudaMemHandleTypeFabric | cudaMemHandleTypePosixFileDescriptor:
        return cudaErrorNotSupported;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *handle, const struct cudaMemPoolProps *props)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_capture_enter_unsafe(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (handle == NULL || props == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    error = check_props(runtime, props);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    struct cdp_memory_pool *pool = add((unsigned)props->location.id, -1, handle);
    if (pool == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    pool->can_export = props->handleTypes == cudaMemHandleTypePosixFileDescriptor;
    pool->most = props->maxSize;
    return cudaSuccess;
}

static struct cdp_heap *heap_of(struct cdp_runtime *runtime, const struct cdp_memory_pool *pool)
{
    return &runtime->devices[pool->device].memory;
}

/* Its allocations stay. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_lock_acquire(&made.lock);
    struct cdp_memory_pool *pool = cdp_handle_remove(&made.handles, (uintptr_t)(void *)handle);
    cdp_lock_release(&made.lock);
    if (pool == NULL) { /* also a default pool */
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_device *device = &runtime->devices[pool->device];
    struct cdp_memory_pool *expected = pool;
    atomic_compare_exchange_strong(&device->pool_in_use, &expected, &device->pool);
    if (pool->fd >= 0) {
        cdp_os_shared_close(pool->fd);
    }
    cdp_heap_end_use(heap_of(runtime, pool), &pool->use);
    cdp_lock_acquire(&made.lock);
    pool->next = made.destroyed;
    made.destroyed = pool;
    cdp_lock_release(&made.lock);
    return cudaSuccess;
}

/* ---- Allocations ---- */

/* The bytes that a pool would hold on a GPU, which takes memory from the system in large pieces. */
static uint64_t reserved(uint64_t used)
{
    const uint64_t piece = UINT64_C(32) << 20; /* an H100's */
    return used > UINT64_MAX - piece ? used : (used + piece - 1) / piece * piece;
}

/* On a GPU, a pool keeps freed memory up to the release threshold. */
static uint64_t kept_bytes(const struct cdp_memory_pool *pool, const struct cdp_heap_use *use)
{
    uint64_t most = use->most[CDP_POOL_SINCE_TRIM];
    uint64_t threshold = atomic_load(&pool->release_threshold);
    return threshold < most ? threshold : most;
}

static uint64_t statistic(struct cdp_runtime *runtime, struct cdp_memory_pool *pool,
                          enum cudaMemPoolAttr attr)
{
    struct cdp_heap_use use = cdp_heap_read_use(heap_of(runtime, pool), &pool->use);
    uint64_t kept = kept_bytes(pool, &use);
    switch ((int)attr) {
    case cudaMemPoolAttrReservedMemCurrent:
        return reserved(use.now > kept ? use.now : kept);
    case cudaMemPoolAttrReservedMemHigh:
        return reserved(use.most[CDP_POOL_RESERVED]);
    case cudaMemPoolAttrUsedMemCurrent:
        return use.now;
    default:
        return use.most[CDP_POOL_USED];
    }
}

/* A pool's limit is a whole number of these, as on an H100. */
static uint64_t limit_of(const struct cdp_memory_pool *pool)
{
    return reserved(pool->most);
}

cudaError_t cdp_pool_allocate(void **ptr, size_t size, cudaMemPool_t handle, cudaStream_t stream,
                              const void *site)
{
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    cudaError_t error = enter(&runtime, handle, ptr, &pool);
    if (error != cudaSuccess) {
        return error;
    }
    if (pool->fd >= 0) { /* the other process allocates */
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (pool->most != 0) {
        uint64_t used = cdp_heap_read_use(heap_of(runtime, pool), &pool->use).now;
        if (used > limit_of(pool) || size > limit_of(pool) - used) {
            return cdp_api_fail(cudaErrorMemoryAllocation);
        }
    }
    return cdp_memory_allocate_async(pool, ptr, size, stream, site);
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t handle,
                                    cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    return cdp_pool_allocate(ptr, size, handle, stream, __builtin_return_address(0));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    cudaError_t error = enter(&runtime, handle, "", &pool);
    bool is_refused = error == cudaSuccess && CDP_UNLIKELY(cdp_capture_is_on()) &&
                      cdp_capture_refuses_unsafe(&error);
    if (error == cudaSuccess && !is_refused) {
        cdp_heap_reset_use(heap_of(runtime, pool), &pool->use, CDP_POOL_SINCE_TRIM, keep);
    }
    return error;
}

static bool is_reuse(enum cudaMemPoolAttr attr)
{
    return attr >= cudaMemPoolReuseFollowEventDependencies &&
           attr <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attr, void *value)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    cudaError_t error = enter(&runtime, handle, value, &pool);
    if (error != cudaSuccess) {
        return error;
    }
    if (is_reuse(attr)) {
        atomic_store(&pool->reuse[attr - 1], *(const uint32_t *)value != 0);
    } else if (attr == cudaMemPoolAttrReleaseThreshold) {
        atomic_store(&pool->release_threshold, *(const uint64_t *)value);
    } else if ((attr != cudaMemPoolAttrReservedMemHigh && attr != cudaMemPoolAttrUsedMemHigh) ||
               *(const uint64_t *)value != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    } else {
        bool is_used = attr == cudaMemPoolAttrUsedMemHigh;
        struct cdp_heap_use use = cdp_heap_read_use(heap_of(runtime, pool), &pool->use);
        cdp_heap_reset_use(heap_of(runtime, pool), &pool->use,
                           is_used ? CDP_POOL_USED : CDP_POOL_RESERVED,
                           is_used ? 0 : kept_bytes(pool, &use));
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attr, void *value)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    cudaError_t error = enter(&runtime, handle, value, &pool);
    if (error != cudaSuccess) {
        return error;
    }
    if (is_reuse(attr)) {
        *(uint32_t *)value = atomic_load(&pool->reuse[attr - 1]);
    } else if (attr == cudaMemPoolAttrReleaseThreshold) {
        *(uint64_t *)value = atomic_load(&pool->release_threshold);
    } else if (attr >= cudaMemPoolAttrReservedMemCurrent && attr <= cudaMemPoolAttrUsedMemHigh) {
        *(uint64_t *)value = statistic(runtime, pool, attr);
    } else {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    cudaError_t error = enter(&runtime, handle, count > 0 ? (const void *)list : "", &pool);
    for (size_t i = 0; error == cudaSuccess && i < count; i++) {
        if (list[i].location.type != cudaMemLocationTypeDevice ||
            !cdp_device_exists(runtime, list[i].location.id)) {
            return cdp_api_fail(cudaErrorInvalidDevice);
        }
        uint32_t bit = 1u << list[i].location.id;
        _Atomic uint32_t *readers = &runtime->engine->devices[pool->device].pool_readers;
        bool is_own = list[i].location.id == (int)pool->device;
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

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                 struct cudaMemLocation *location)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    cudaError_t error = enter(&runtime, handle, flags, &pool);
    if (error != cudaSuccess) {
        return error;
    }
    if (location == NULL || location->type != cudaMemLocationTypeDevice ||
        !cdp_device_exists(runtime, location->id)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    bool may = location->id == (int)pool->device ||
               (atomic_load(&runtime->engine->devices[pool->device].pool_readers) >> location->id &
                1) != 0;
    *flags = may ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}

/* ---- For other processes ---- */

cudaError_t cudaMemPoolExportToShareableHandle(void *out, cudaMemPool_t handle,
                                               enum cudaMemAllocationHandleType type,
                                               unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    cudaError_t error = enter(&runtime, handle, out, &pool);
    if (error != cudaSuccess) {
        return error;
    }
    if (flags != 0 || type != cudaMemHandleTypePosixFileDescriptor || !pool->can_export) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    int fd = cdp_share_descriptor(&runtime->devices[pool->device].memory, pool->number);
    if (fd < 0) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    *(int *)out = fd;
    return cudaSuccess;
}

/* The descriptor stays the program's. */
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *out, void *os_handle,
                                                 enum cudaMemAllocationHandleType type,
                                                 unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    int fd = (int)(intptr_t)os_handle;
    if (type == cudaMemHandleTypePosixFileDescriptor && !cdp_os_is_descriptor(fd)) {
        return cdp_api_fail(cudaErrorUnknown); /* hardware's answer */
    }
    uint64_t file = cdp_import_file(fd);
    uint32_t number = cdp_os_shared_mark(fd);
    if (out == NULL || flags != 0 || type != cudaMemHandleTypePosixFileDescriptor || file == 0 ||
        number <= CDP_POOL_DEFAULT) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    int own = cdp_os_shared_copy(fd);
    struct cdp_memory_pool *pool = own >= 0 ? add(cdp_device_number, own, out) : NULL;
    if (pool == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    pool->file = file;
    pool->imported = number;
    return cudaSuccess;
}

/* The pool that the program made and that has the allocation; false: none, or it is not for other
 * processes. */
static bool is_exportable(const struct cdp_memory *memory)
{
    bool found = false;
    cdp_lock_acquire(&made.lock);
    for (uint32_t i = 0; i < made.handles.count; i++) {
        const struct cdp_memory_pool *pool = made.handles.slots[i].object;
        found |= pool != NULL && pool->number == memory->flags && pool->can_export;
    }
    cdp_lock_release(&made.lock);
    return found;
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *ptr)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory memory;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_memmap_find(ptr, &memory);
    bool may = memory.space == CDP_SPACE_DEVICE && memory.kind == CDP_MEMORY_DEVICE &&
               memory.base == ptr && memory.flags > CDP_POOL_DEFAULT &&
               cdp_memmap_device(ptr) != CDP_MOST_DEVICES;
    if (data == NULL || !may || !is_exportable(&memory)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_share_name name = {0};
    error = cdp_ipc_share(runtime, ptr, &name);
    if (error == cudaSuccess) {
        name.pool = memory.flags;
        memset(data, 0, sizeof *data);
        memcpy(data, &name, sizeof name);
    }
    return error;
}

cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t handle,
                                     struct cudaMemPoolPtrExportData *data)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory_pool *pool;
    struct cdp_share_name name;
    cudaError_t error = enter(&runtime, handle, ptr, &pool);
    if (error != cudaSuccess) {
        return error;
    }
    if (data == NULL || pool->fd < 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    memcpy(&name, data, sizeof name);
    if (name.magic != CDP_SHARE_MAGIC || name.file != pool->file || name.pool != pool->imported) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    enum cdp_status status = cdp_import_open(&name, pool->fd, cdp_ipc_device(runtime, &name), ptr);
    return cdp_api_return(status == CDP_NOT_REGISTERED ? CDP_INVALID_VALUE : status);
}
