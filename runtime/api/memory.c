/* Allocation: device, managed, pinned and registered memory. All of it is ordinary memory of this
 * process, at the same address for host and device. The kinds differ only in who may free the
 * memory, and by which call. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/advice.h"
#include "api/capture.h"
#include "api/error.h"
#include "api/graph_memory.h"
#include "api/memory.h"
#include "api/handle.h"
#include "api/ipc.h"
#include "api/register.h"
#include "api/runtime.h"
#include "exec/report/profile.h"
#include "races/shadow.h"
#include "exec/state/engine.h"
#include "mem/describe.h"
#include "mem/memmap.h"
#include "os/code.h"
#include "os/os.h"

#define PITCH_ALIGNMENT 512

/* The return address in the program. */
#define CALLER __builtin_return_address(0)

static cudaError_t allocate_on(struct cdp_runtime *runtime, struct cdp_device *device, void **ptr,
                               const struct cdp_heap_request *request)
{
    if (ptr == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cudaError_t error;
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_unsafe(&error)) {
        return error;
    }
    if (request->size == 0) {
        *ptr = NULL;
        return cudaSuccess;
    }
    enum cdp_status status = cdp_heap_alloc(&device->memory, request, ptr);
    if (CDP_UNLIKELY(runtime->engine->modes.races) && status == CDP_OK) {
        cdp_shadow_clear(*ptr, request->size);
    }
    return cdp_api_return(status);
}

/* On the current device. */
static cudaError_t allocate(struct cdp_runtime *runtime, void **ptr,
                            const struct cdp_heap_request *request)
{
    return allocate_on(runtime, cdp_device_current(runtime), ptr, request);
}

cudaError_t cdp_memory_allocate(void **ptr, const struct cdp_heap_request *request)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    return error != cudaSuccess ? error : allocate(runtime, ptr, request);
}

cudaError_t cudaMalloc(void **ptr, size_t size)
{
    CDP_PROFILE_CALL();
    struct cdp_heap_request request = {.size = size, .kind = CDP_MEMORY_DEVICE, .site = CALLER};
    return cdp_memory_allocate(ptr, &request);
}

cudaError_t cudaMallocManaged(void **ptr, size_t size, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_heap_request request = {
        .size = size, .kind = CDP_MEMORY_MANAGED, .flags = flags, .site = CALLER};
    error = allocate(runtime, ptr, &request);
    if (error == cudaSuccess) {
        cdp_advice_forget(*ptr, size);
    }
    return error;
}

static cudaError_t allocate_pinned(void **ptr, size_t size, unsigned flags, const void *site)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_heap_request request = {
        .size = size, .kind = CDP_MEMORY_PINNED, .flags = flags, .site = site};
    return allocate(runtime, ptr, &request);
}

cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags)
{
    CDP_PROFILE_CALL();
    return allocate_pinned(ptr, size, flags, CALLER);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    CDP_PROFILE_CALL();
    return allocate_pinned(ptr, size, cudaHostAllocDefault, CALLER);
}

static size_t pitch_of(size_t width)
{
    return (width + PITCH_ALIGNMENT - 1) & ~(size_t)(PITCH_ALIGNMENT - 1);
}

/* Rows of pitch_of(width) bytes; false if the size overflows. */
static bool size_of_rows(size_t width, size_t height, size_t depth, size_t *out)
{
    return width <= PTRDIFF_MAX && !__builtin_mul_overflow(pitch_of(width), height, out) &&
           !__builtin_mul_overflow(*out, depth, out);
}

cudaError_t cdp_memory_allocate_rows(void **ptr, size_t *pitch, size_t width, size_t height,
                                     const void *site)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_heap_request request = {.kind = CDP_MEMORY_DEVICE, .site = site};
    if (pitch == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (!size_of_rows(width, height, 1, &request.size)) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    *pitch = pitch_of(width);
    return allocate(runtime, ptr, &request);
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
    CDP_PROFILE_CALL();
    return cdp_memory_allocate_rows(ptr, pitch, width, height, CALLER);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_heap_request request = {.kind = CDP_MEMORY_DEVICE, .site = CALLER};
    if (ptr == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (!size_of_rows(extent.width, extent.height, extent.depth, &request.size)) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    *ptr = (struct cudaPitchedPtr){
        .pitch = pitch_of(extent.width), .xsize = extent.width, .ysize = extent.height};
    return allocate(runtime, &ptr->ptr, &request);
}

/* ---- Freeing ---- */

/* The device of an allocation at ptr that such a call may free; NULL: there is none. */
static struct cdp_device *find_freeable(struct cdp_runtime *runtime, const void *ptr, bool pinned)
{
    struct cdp_device *device = cdp_device_of(runtime, ptr);
    struct cdp_heap_info info;
    bool may = device != NULL && cdp_heap_find(&device->memory, ptr, &info) && info.base == ptr &&
               info.kind != CDP_MEMORY_ARRAY && (info.kind == CDP_MEMORY_PINNED) == pinned;
    return may ? device : NULL;
}

/* Running work may still use the memory, and programs rely on this wait. Any device may use pinned
 * and managed memory. */
static void wait_for_users(struct cdp_runtime *runtime, const struct cdp_device *device, void *ptr)
{
    struct cdp_heap_info info;
    struct cdp_heap *heap = (struct cdp_heap *)(uintptr_t)&device->memory;
    if (runtime->device_count == 1 ||
        (cdp_heap_find(heap, ptr, &info) && info.kind != CDP_MEMORY_DEVICE)) {
        cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
    } else {
        cdp_device_wait_for_users(runtime, device);
    }
}

static void say_refused(const char *call, void *ptr, bool pinned, const void *site)
{
    char reason[1200], place[512];
    cdp_describe_wrong_free(ptr, pinned ? CDP_FREES_PINNED : CDP_FREES_DEVICE, reason,
                            sizeof reason);
    cdp_os_symbolize((const char *)site - 1, place, sizeof place);
    fprintf(stderr, "cdp: %s(%p) at %s: %s\n", call, ptr, place, reason);
}

static cudaError_t refuse(const char *call, void *ptr, bool pinned, const void *site)
{
    say_refused(call, ptr, pinned, site);
    return cdp_api_fail(cudaErrorInvalidValue);
}

static cudaError_t free_of_graph(const char *call, const void *ptr, const void *site)
{
    if (cdp_graph_memory_free(ptr)) {
        return cudaSuccess;
    }
    char place[512];
    cdp_os_symbolize((const char *)site - 1, place, sizeof place);
    fprintf(stderr,
            "cdp: %s(%p) at %s: this memory belongs to a graph, and is not allocated now. Launch "
            "the graph before the free, and free it once for each launch\n",
            call, ptr, place);
    return cdp_api_fail(cudaErrorInvalidValue);
}

cudaError_t cdp_memory_free(void *ptr, bool is_pinned, const void *site)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_capture_enter_unsafe(&runtime);
    if (error != cudaSuccess || ptr == NULL) {
        return error;
    }
    const char *call = is_pinned ? "cudaFreeHost" : "cudaFree";
    if (!is_pinned && cdp_graph_memory_owns(ptr)) {
        cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
        error = cdp_api_waited(runtime);
        return error != cudaSuccess ? error : free_of_graph(call, ptr, site);
    }
    struct cdp_device *device = find_freeable(runtime, ptr, is_pinned);
    if (device == NULL) {
        return !is_pinned && cdp_ipc_is_of_pool(ptr) ? cdp_ipc_close(runtime, ptr)
                                                     : refuse(call, ptr, is_pinned, site);
    }
    wait_for_users(runtime, device, ptr);
    error = cdp_api_waited(runtime);
    if (error != cudaSuccess) {
        return error;
    }
    bool freed = cdp_heap_free(&device->memory, ptr, site) == CDP_OK;
    return freed ? cudaSuccess : refuse(call, ptr, is_pinned, site); /* another thread was first */
}

cudaError_t cudaFree(void *ptr)
{
    CDP_PROFILE_CALL();
    return cdp_memory_free(ptr, false, CALLER);
}

cudaError_t cudaFreeHost(void *ptr)
{
    CDP_PROFILE_CALL();
    return cdp_memory_free(ptr, true, CALLER);
}

/* ---- In stream order ---- */

/* An allocation may be made before its position in the stream. Only a free must wait for it. */
cudaError_t cdp_memory_allocate_async(struct cdp_memory_pool *from, void **ptr, size_t size,
                                      cudaStream_t stream, const void *site)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_alloc(stream, size, site, ptr, &error)) {
        return error;
    }
    struct cdp_stream_traits traits;
    enum cdp_status status =
        cdp_stream_traits(runtime->streams, cdp_handle_of_stream(stream), &traits);
    if (status != CDP_OK) {
        return cdp_api_return(status);
    }
    if (from == NULL) {
        from = atomic_load(&runtime->devices[traits.device].pool_in_use);
    }
    struct cdp_heap_request request = {.size = size,
                                       .kind = CDP_MEMORY_DEVICE,
                                       .flags = from->number,
                                       .site = site,
                                       .use = &from->use};
    return allocate_on(runtime, &runtime->devices[from->device], ptr, &request);
}

cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    return cdp_memory_allocate_async(NULL, ptr, size, stream, CALLER);
}

struct pending_free {
    struct cdp_device *device;
    void *ptr;
    const void *site;
};

/* A pointer that was freed twice in the meantime is detected here, where no call can return the
 * error. */
static void run_free(void *data)
{
    const struct pending_free *order = data;
    if (cdp_heap_free(&order->device->memory, order->ptr, order->site) != CDP_OK) {
        say_refused("cudaFreeAsync", order->ptr, false, order->site);
    }
    atomic_fetch_sub(&order->device->pending_frees, 1);
}

cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_free(stream, ptr, &error)) {
        return error;
    }
    if (cdp_graph_memory_owns(ptr)) { /* the graph keeps it, so nothing must wait */
        return free_of_graph("cudaFreeAsync", ptr, CALLER);
    }
    struct cdp_device *device = find_freeable(runtime, ptr, false);
    if (device == NULL) {
        return cdp_ipc_is_of_pool(ptr) ? cdp_ipc_close_async(runtime, ptr, stream)
                                       : refuse("cudaFreeAsync", ptr, false, CALLER);
    }
    struct pending_free order = {.device = device, .ptr = ptr, .site = CALLER};
    struct cdp_stream_call call = {
        .run = run_free, .data = &order, .size = sizeof order, .brief = true};
    atomic_fetch_add(&device->pending_frees, 1);
    enum cdp_status status = cdp_stream_call(runtime->streams, cdp_handle_of_stream(stream), &call);
    if (status != CDP_OK) {
        atomic_fetch_sub(&device->pending_frees, 1);
    }
    return cdp_api_return(status);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (free == NULL || total == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_device *device = cdp_device_current(runtime);
    size_t available = cdp_heap_available(&device->memory);
    size_t mapped = atomic_load(&device->mapped);
    *free = mapped < available ? available - mapped : 0;
    *total = cdp_heap_limit(&device->memory);
    return cudaSuccess;
}

void cdp_memory_find(const void *ptr, struct cdp_memory *out)
{
    if (cdp_memmap_space(ptr) == CDP_SPACE_HOST) {
        (void)cdp_registry_find_variable(ptr); /* joins: the map must know all modules' variables */
    }
    cdp_memmap_find(ptr, out);
}

/* ---- Host memory of the program's own ---- */

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_capture_enter_unsafe(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory |
                     cudaHostRegisterReadOnly;
    if (ptr == NULL || size == 0 || (flags & ~known) != 0 ||
        (uintptr_t)ptr + size < (uintptr_t)ptr || !cdp_os_is_mapped(ptr, size)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (cdp_memmap_space(ptr) != CDP_SPACE_HOST) {
        bool is_registered = cdp_memmap_space(ptr) == CDP_SPACE_REGISTERED;
        return cdp_api_fail(is_registered ? cudaErrorHostMemoryAlreadyRegistered
                                          : cudaErrorInvalidValue);
    }
    return cdp_api_return(cdp_memmap_register_host(cdp_device_number, ptr, size, flags));
}

/* Not in the midst of registered memory, nor the runtime's own. */
static bool may_be_registered(const void *ptr)
{
    struct cdp_memory memory;
    cdp_memmap_find(ptr, &memory);
    return memory.space == CDP_SPACE_REGISTERED ? memory.base == ptr
                                                : ptr != NULL && memory.space == CDP_SPACE_HOST;
}

cudaError_t cudaHostUnregister(void *ptr)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_capture_enter_unsafe(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
    error = cdp_api_waited(runtime);
    if (error == cudaSuccess && !may_be_registered(ptr)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return error != cudaSuccess ? error : cdp_api_return(cdp_memmap_unregister_host(ptr));
}

/* Pinned or registered memory. */
static bool find_pinned(const void *ptr, struct cdp_memory *memory)
{
    cdp_memory_find(ptr, memory);
    return memory->space == CDP_SPACE_REGISTERED ||
           (memory->space == CDP_SPACE_DEVICE && memory->kind == CDP_MEMORY_PINNED);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_memory memory;
    if (device == NULL || flags != 0 || !find_pinned(host, &memory)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_memory memory;
    bool is_known = find_pinned(host, &memory);
    if (flags == NULL || (!is_known && !cdp_memory_is_managed(&memory))) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    /* All of it is mapped. */
    *flags = cudaHostAllocMapped | (is_known ? memory.flags : 0);
    return cudaSuccess;
}

/* ---- Classification of pointers ---- */

static enum cudaMemoryType type_of(const struct cdp_memory *memory)
{
    switch (memory->space) {
    case CDP_SPACE_DEVICE:
        if (memory->size == 0 || memory->kind == CDP_MEMORY_ARRAY) {
            return cudaMemoryTypeUnregistered;
        }
        return memory->kind == CDP_MEMORY_PINNED    ? cudaMemoryTypeHost
               : memory->kind == CDP_MEMORY_MANAGED ? cudaMemoryTypeManaged
                                                    : cudaMemoryTypeDevice;
    case CDP_SPACE_REGISTERED:
        return cudaMemoryTypeHost;
    case CDP_SPACE_HEAP:
        return memory->size == 0 ? cudaMemoryTypeUnregistered : cudaMemoryTypeDevice;
    case CDP_SPACE_VARIABLE:
        return memory->kind == CDP_MEMORY_MANAGED ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
    case CDP_SPACE_CONSTANT:
        return cudaMemoryTypeDevice;
    case CDP_SPACE_HOST:
    case CDP_SPACE_SHARED:
    case CDP_SPACE_LOCAL:
        break;
    }
    return cudaMemoryTypeUnregistered;
}

/* Device variables have one instance, which is each device's own. */
static int device_of(const struct cdp_memory *memory)
{
    bool is_variable = memory->space == CDP_SPACE_VARIABLE || memory->space == CDP_SPACE_CONSTANT;
    return (int)(is_variable ? cdp_device_number : memory->device);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attr, const void *ptr)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (attr == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_memory memory;
    cdp_memory_find(ptr, &memory);
    enum cudaMemoryType type = type_of(&memory);
    bool registered = type != cudaMemoryTypeUnregistered;
    *attr = (struct cudaPointerAttributes){
        .type = type,
        .device = registered ? device_of(&memory) : cudaInvalidDeviceId,
        .devicePointer = registered ? (void *)(uintptr_t)ptr : NULL,
        .hostPointer = type != cudaMemoryTypeDevice ? (void *)(uintptr_t)ptr : NULL,
    };
    return cudaSuccess;
}
