/* Launches by device code: the calls that child<<<grid, block, shared, stream>>>(...) becomes, and
 * device-side cudaDeviceSynchronize. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/cluster.h"
#include "api/check.h"
#include "api/device.h"
#include "api/launch_advice.h"
#include "exec/block/plain.h"
#include "exec/block/synchronize.h"
#include "exec/report/finding.h"
#include "mem/memmap.h"
#include "os/code.h"

/* Nesting levels of CDP1, the host's launch included. */
enum { CDP1_LEVELS = 24, CDP1_PARAMETERS = 4096, CDP2_PARAMETERS = 32764 };

/* cudaStreamFireAndForget's value. */
enum { FIRE_AND_FORGET = 4 };

bool cdp_device_resolve(struct cdp_block *block, cudaStream_t handle,
                        struct cdp_device_where *where)
{
    const uintptr_t tail = 3, per_thread = 2;
    uintptr_t value = (uintptr_t)handle;
    where->stream = NULL;
    if (CDP_LIKELY(value <= per_thread)) { /* NULL, cudaStreamLegacy, cudaStreamPerThread */
        where->target = CDP_TARGET_BLOCK;
        return true;
    }
    if (value == tail || value == FIRE_AND_FORGET) {
        where->target = value == tail ? CDP_TARGET_TAIL : CDP_TARGET_FREE;
        return (block->view.kernel->flags & CDP_KERNEL_CDP1) == 0;
    }
    where->target = CDP_TARGET_NAMED;
    where->stream = cdp_device_stream_find(block, (uint64_t)value);
    return where->stream != NULL;
}

enum cdp_status cdp_device_check_nesting(const struct cdp_block *block,
                                         const struct cdp_abi_kernel *kernel)
{
    const uint32_t modes = CDP_KERNEL_CDP1 | CDP_KERNEL_CDP2;
    uint32_t parent = block->view.kernel->flags & modes;
    uint32_t child = kernel != NULL ? kernel->flags & modes : parent;
    if (CDP_UNLIKELY(parent != 0 && child != 0 && parent != child)) {
        return CDP_VERSION_MISMATCH;
    }
    if (CDP_UNLIKELY(parent == CDP_KERNEL_CDP1 && block->view.depth + 1 >= CDP1_LEVELS)) {
        return CDP_DEPTH_EXCEEDED;
    }
    return CDP_OK;
}

static cudaError_t fail_launch(cudaError_t error)
{
    cdp_abi_self->launch_failed = error == cudaErrorMemoryAllocation ? 2 : 1;
    cdp_fiber_of(cdp_abi_self)->launch_site = NULL;
    cdp_fiber_of(cdp_abi_self)->launch_advice = NULL;
    return cdp_device_fail(error);
}

/* For checked code, also if the check of memory is off: the program may write the buffer. Its
 * memory is used for buffers only, so it stays registered. */
CDP_COLD static void allow_writes(void *buffer, size_t size)
{
    struct cdp_memory memory;
    size = size < CDP_GRID_SMALLEST_PARAMS ? CDP_GRID_SMALLEST_PARAMS : size;
    cdp_memmap_find(buffer, &memory);
    if (memory.space == CDP_SPACE_REGISTERED && memory.size >= size) {
        return;
    }
    if (memory.space == CDP_SPACE_REGISTERED) {
        (void)cdp_memmap_unregister_host(buffer);
    }
    (void)cdp_memmap_register_host(cdp_grid_device(cdp_device_block()->grid), buffer, size,
                                   CDP_MEMMAP_PARAMETERS);
}

void *cdp_abi_cudaGetParameterBuffer(size_t alignment, size_t size)
{
    struct cdp_block *block = cdp_device_block();
    size_t most =
        (block->view.kernel->flags & CDP_KERNEL_CDP1) != 0 ? CDP1_PARAMETERS : CDP2_PARAMETERS;
    if (CDP_UNLIKELY(alignment > 64 || size > most)) {
        (void)fail_launch(cudaErrorInvalidValue);
        return NULL;
    }
    void *buffer = cdp_scope_buffer(block, size);
    if (CDP_UNLIKELY(buffer == NULL)) {
        (void)fail_launch(cudaErrorMemoryAllocation);
    } else if (CDP_UNLIKELY(cdp_finding_is_on(CDP_CHECKS_ALL))) {
        allow_writes(buffer, size);
    }
    return buffer;
}

/* A kernel that has parameters but was given no buffer reads zeros. */
static void *missing_buffer(struct cdp_block *block, const struct cdp_abi_kernel *kernel)
{
    void *buffer = cdp_scope_buffer(block, kernel->param_size);
    if (buffer != NULL) {
        memset(buffer, 0, kernel->param_size);
    }
    return buffer;
}

static const char *generation_of(const struct cdp_abi_kernel *kernel)
{
    return (kernel->flags & CDP_KERNEL_CDP1) != 0 ? "1" : "2";
}

/* CUDA detects this when it loads a kernel. Here the host gets the error at its next call that
 * waits, because it is not known before what a kernel will launch. */
CDP_COLD static cudaError_t fail_generation(const struct cdp_block *block,
                                            const struct cdp_device_launch *request)
{
    static _Atomic int said;
    enum { MOST_SAID = 10 };
    if (atomic_fetch_add_explicit(&said, 1, memory_order_relaxed) < MOST_SAID) {
        char text[400], child[256];
        cdp_os_demangle(request->kernel->name, child, sizeof child);
        snprintf(text, sizeof text,
                 "a kernel compiled with --cdp=%s cannot launch %s, which was compiled with "
                 "--cdp=%s: compile both alike, or either with --cdp=auto",
                 generation_of(block->view.kernel), child, generation_of(request->kernel));
        struct cdp_fault_position place = {
            .block = block, .thread = cdp_abi_self, .pc = (const char *)request->site - 1};
        cdp_fault_warn(block->executor->engine, CDP_VERSION_MISMATCH, &place, text);
    }
    struct cdp_device *device =
        &cdp_runtime_running()->devices[cdp_grid_device(cdp_device_block()->grid)];
    atomic_store(&device->deferred_error, cudaErrorCdpVersionMismatch);
    return fail_launch(cudaErrorCdpVersionMismatch);
}

static cudaError_t try_launch(struct cdp_device_launch *request, struct dim3 grid,
                              struct dim3 threads, cudaStream_t stream)
{
    struct cdp_block *block = cdp_device_block();
    const struct cdp_abi_kernel *kernel = request->kernel;
    struct cdp_device_where where;
    if (CDP_UNLIKELY(kernel == NULL || kernel->abi_version != CDP_ABI_VERSION)) {
        return fail_launch(cudaErrorInvalidDeviceFunction);
    }
    struct cdp_shape shape = {
        .grid = grid, .block = threads, .dynamic_shared = request->dynamic_shared};
    cudaError_t error = cdp_check_launch(kernel, &shape, false);
    if (CDP_UNLIKELY(error != cudaSuccess)) {
        return fail_launch(error);
    }
    if (CDP_UNLIKELY(cdp_cluster_is_given(kernel))) {
        error = cdp_cluster_of_launch(kernel, (dim3){0, 0, 0}, grid, request->cluster_dim);
        if (error != cudaSuccess) {
            return fail_launch(error);
        }
    }
    if (CDP_UNLIKELY(!cdp_device_resolve(block, stream, &where))) {
        cdp_device_foreign_handle("a launch", "stream", stream);
        return fail_launch(cudaErrorInvalidValue);
    }
    enum cdp_status status = cdp_device_check_nesting(block, kernel);
    if (CDP_UNLIKELY(status != CDP_OK)) {
        return status == CDP_VERSION_MISMATCH ? fail_generation(block, request)
                                              : fail_launch(cdp_error_of(status));
    }
    if (CDP_UNLIKELY(request->params == NULL && kernel->param_size != 0)) {
        request->params = missing_buffer(block, kernel);
        if (request->params == NULL) {
            return fail_launch(cudaErrorMemoryAllocation);
        }
    }
    request->target = where.target;
    request->stream = where.stream;
    request->grid_dim[0] = grid.x, request->grid_dim[1] = grid.y, request->grid_dim[2] = grid.z;
    request->block_dim[0] = threads.x;
    request->block_dim[1] = threads.y;
    request->block_dim[2] = threads.z;
    status = cdp_scope_launch(block, request);
    return CDP_LIKELY(status == CDP_OK) ? cudaSuccess : fail_launch(cdp_error_of(status));
}

/* For reports. */
CDP_COLD static void note_failure(const struct cdp_device_launch *request,
                                  const struct cdp_shape *shape, cudaError_t error)
{
    struct cdp_fiber *fiber = cdp_fiber_of(cdp_abi_self);
    const char *advice = cdp_launch_advice(request->kernel, shape, error);
    if (advice == NULL && error == cudaErrorInvalidValue) { /* only the stream is left */
        advice = "a kernel launches into the NULL stream, into a stream that its own block "
                 "created, or, with CDP2, into cudaStreamTailLaunch or cudaStreamFireAndForget";
    }
    fiber->launch_site = request->site;
    fiber->launch_advice = advice;
}

static CDP_NOINLINE cudaError_t launch(struct cdp_device_launch *request, struct dim3 grid,
                                       struct dim3 threads, cudaStream_t stream)
{
    cudaError_t error = try_launch(request, grid, threads, stream);
    if (CDP_UNLIKELY(error != cudaSuccess)) {
        struct cdp_shape shape = {
            .grid = grid, .block = threads, .dynamic_shared = request->dynamic_shared};
        note_failure(request, &shape, error);
    }
    return error;
}

static CDP_NOINLINE cudaError_t launch_any(const struct cdp_abi_kernel *kernel, void *buffer,
                                           const struct cdp_shape *shape, cudaStream_t stream,
                                           const void *site)
{
    struct cdp_device_launch request = {.kernel = kernel,
                                        .params = buffer,
                                        .dynamic_shared = (uint32_t)shape->dynamic_shared,
                                        .site = site};
    return launch(&request, shape->grid, shape->block, stream);
}

/* Whether launch would find no error, and the grid has a plain shape. */
static inline bool is_plain(const struct cdp_abi_kernel *kernel, const void *buffer,
                            const struct cdp_shape *shape)
{
    return kernel != NULL && buffer != NULL && kernel->abi_version == CDP_ABI_VERSION &&
           shape->grid.x <= CDP_INSIDE_MOST_BLOCKS && cdp_is_plain_launch(kernel, shape) &&
           !cdp_cluster_is_given(kernel);
}

/* Whether the launch is fire and forget, or into a stream that only the block uses. */
static inline bool is_plain_stream(const struct cdp_block *self, cudaStream_t stream,
                                   struct cdp_plain_launch *request)
{
    const uintptr_t per_thread = 2;
    request->stream = NULL;
    request->forgets = (uintptr_t)stream == FIRE_AND_FORGET;
    if (CDP_LIKELY((uintptr_t)stream <= per_thread)) {
        return true;
    }
    if (request->forgets) {
        return (self->view.kernel->flags & CDP_KERNEL_CDP1) == 0;
    }
    request->stream = cdp_device_stream_find(self, (uint64_t)(uintptr_t)stream);
    return request->stream != NULL && request->stream->object.is_private;
}

cudaError_t cdp_abi_cudaLaunchDevice(const void *kernel, void *buffer, struct dim3 grid,
                                     struct dim3 block, unsigned shared, cudaStream_t stream)
{
    struct cdp_block *self = cdp_device_block();
    struct cdp_shape shape = {.grid = grid, .block = block, .dynamic_shared = shared};
    struct cdp_plain_launch request = {.kernel = kernel,
                                       .params = buffer,
                                       .blocks = grid.x,
                                       .threads = block.x,
                                       .site = __builtin_return_address(0)};
    if (CDP_LIKELY(is_plain(kernel, buffer, &shape) && is_plain_stream(self, stream, &request) &&
                   cdp_device_check_nesting(self, kernel) == CDP_OK &&
                   cdp_plain_launch(self, &request))) {
        return cudaSuccess;
    }
    /* A separate variable: a plain launch's shape then needs no memory. */
    struct cdp_shape any = {.grid = grid, .block = block, .dynamic_shared = shared};
    return launch_any(kernel, buffer, &any, stream, __builtin_return_address(0));
}

/* The V2 pair keeps the configuration in the buffer's own record. */
void *cdp_abi_cudaGetParameterBufferV2(const void *kernel, struct dim3 grid, struct dim3 block,
                                       unsigned shared)
{
    const struct cdp_abi_kernel *descriptor = kernel;
    if (kernel == NULL || descriptor->abi_version != CDP_ABI_VERSION) {
        (void)fail_launch(cudaErrorInvalidDeviceFunction);
        return NULL;
    }
    struct cdp_shape shape = {.grid = grid, .block = block, .dynamic_shared = shared};
    cudaError_t error = cdp_check_launch(descriptor, &shape, false);
    if (error != cudaSuccess) {
        struct cdp_device_launch request = {.kernel = descriptor,
                                            .site = __builtin_return_address(0)};
        (void)fail_launch(error);
        note_failure(&request, &shape, error);
        return NULL;
    }
    void *buffer = cdp_abi_cudaGetParameterBuffer(64, descriptor->param_size);
    if (buffer != NULL) {
        struct cdp_grid *record = cdp_grid_of_params(buffer);
        record->kernel = descriptor;
        record->shape.dynamic_shared = shared;
        record->shape.grid_dim[0] = grid.x, record->shape.grid_dim[1] = grid.y,
        record->shape.grid_dim[2] = grid.z;
        record->shape.block_dim[0] = (uint16_t)block.x;
        record->shape.block_dim[1] = (uint16_t)block.y;
        record->shape.block_dim[2] = (uint16_t)block.z;
    }
    return buffer;
}

cudaError_t cdp_abi_cudaLaunchDeviceV2(void *buffer, cudaStream_t stream)
{
    if (buffer == NULL || !cdp_scope_owns_buffer(cdp_device_block(), buffer)) {
        return fail_launch(cudaErrorInvalidValue);
    }
    const struct cdp_grid *record = cdp_grid_of_params(buffer);
    struct cdp_device_launch request = {.kernel = record->kernel,
                                        .params = buffer,
                                        .dynamic_shared = record->shape.dynamic_shared,
                                        .site = __builtin_return_address(0)};
    const uint32_t *g = record->shape.grid_dim;
    const uint16_t *b = record->shape.block_dim;
    return launch(&request, (struct dim3){g[0], g[1], g[2]}, (struct dim3){b[0], b[1], b[2]},
                  stream);
}

/* The thread goes on although its children may not have run. */
CDP_COLD static void report_depth(const struct cdp_block *block, const void *site)
{
    char title[200];
    snprintf(title, sizeof title,
             "cudaDeviceSynchronize() does not wait: the grid is nested %u deep, and "
             "cudaLimitDevRuntimeSyncDepth is %u",
             (unsigned)block->grid->shape.depth,
             (unsigned)cdp_engine_limits(block->executor->engine, cdp_grid_device(block->grid))
                 ->sync_depth);
    struct cdp_finding finding = {
        .check = CDP_CHECKS_API,
        .title = title,
        .error = "cudaErrorSyncDepthExceeded",
        .at = {.pc = (const char *)site - 1},
        .help =
            "let the host call cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, n), or use tail "
            "launches",
    };
    cdp_finding_place_of(&finding.at, block, cdp_abi_self->thread_idx);
    (void)cdp_finding_report(&finding);
}

cudaError_t cdp_abi_cudaDeviceSynchronize(void)
{
    const void *site = __builtin_return_address(0);
    struct cdp_block *block = cdp_device_block();
    cdp_fiber_of(cdp_abi_self)->site = site; /* for reports */
    enum cdp_status status = cdp_block_synchronize(block);
    if (CDP_UNLIKELY(status == CDP_SYNC_DEPTH_EXCEEDED) && cdp_finding_is_on(CDP_CHECKS_API)) {
        report_depth(block, site);
    }
    return cdp_device_return(status);
}
