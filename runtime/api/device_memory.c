/* Memory calls of device code: the device heap, and copies and fills in stream order.
 *
 * A copy is a launch of a kernel of the runtime: it has its position in the stream, counts for the
 * nesting depth, and a bad address faults as in any kernel. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/device.h"
#include "api/move.h"
#include "races/shadow.h"
#include "exec/report/fault.h"
#include "mem/copy.h"
#include "mem/describe.h"
#include "mem/memmap.h"
#include "os/code.h"

static void run_copy(const void *params)
{
    const struct cdp_copy *copy = params;
    if (CDP_UNLIKELY(cdp_device_block()->races != NULL)) {
        cdp_move_note_copy(copy);
    }
    cdp_copy_run(copy);
}

static void run_set(const void *params)
{
    const struct cdp_set *set = params;
    if (CDP_UNLIKELY(cdp_device_block()->races != NULL)) {
        cdp_move_note_set(set);
    }
    cdp_set_run(set);
}

static const struct cdp_abi_kernel copy_kernel = {.abi_version = CDP_ABI_VERSION,
                                                  .name = "cudaMemcpyAsync",
                                                  .thread_entry = run_copy,
                                                  .param_size = sizeof(struct cdp_copy)};
static const struct cdp_abi_kernel set_kernel = {.abi_version = CDP_ABI_VERSION,
                                                 .name = "cudaMemsetAsync",
                                                 .thread_entry = run_set,
                                                 .param_size = sizeof(struct cdp_set)};

static cudaError_t launch(const struct cdp_abi_kernel *kernel, const void *params,
                          cudaStream_t stream, const void *site)
{
    struct cdp_block *block = cdp_device_block();
    struct cdp_device_where where;
    if (!cdp_device_resolve(block, stream, &where)) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    enum cdp_status status = cdp_device_check_nesting(block, NULL);
    if (status != CDP_OK) {
        return cdp_device_return(status);
    }
    void *buffer = cdp_scope_buffer(block, kernel->param_size);
    if (buffer == NULL) {
        return cdp_device_fail(cudaErrorMemoryAllocation);
    }
    memcpy(buffer, params, kernel->param_size);
    struct cdp_device_launch request = {.kernel = kernel,
                                        .params = buffer,
                                        .grid_dim = {1, 1, 1},
                                        .block_dim = {1, 1, 1},
                                        .target = where.target,
                                        .stream = where.stream,
                                        .site = site};
    return cdp_device_return(cdp_scope_launch(block, &request));
}

/* Whether a device-side copy or fill must not write there. The host may, so cdp_copy_check does not
 * test this. */
static bool is_constant(const struct cdp_box *to)
{
    return CDP_UNLIKELY(cdp_memmap_space(to->base) == CDP_SPACE_CONSTANT);
}

CDP_COLD static cudaError_t refuse_constant(const char *what, const struct cdp_box *to,
                                            const void *site)
{
    static _Atomic int said;
    enum { MOST_SAID = 10 };
    if (atomic_fetch_add_explicit(&said, 1, memory_order_relaxed) < MOST_SAID) {
        struct cdp_memory variable;
        char text[400], name[200] = "";
        cdp_memmap_find(to->base, &variable);
        if (variable.name != NULL) {
            cdp_os_demangle(variable.name, name, sizeof name);
        }
        snprintf(text, sizeof text,
                 "a %s by device code to constant memory (%s): it did nothing; the host sets "
                 "constants, by cudaMemcpyToSymbol",
                 what, name);
        struct cdp_block *block = cdp_device_block();
        struct cdp_fault_position place = {
            .block = block, .thread = cdp_abi_self, .pc = (const char *)site - 1};
        cdp_fault_warn(block->executor->engine, CDP_INVALID_VALUE, &place, text);
    }
    return cdp_device_fail(cudaErrorInvalidValue);
}

static cudaError_t copy(const struct cdp_copy *request, enum cudaMemcpyKind kind,
                        cudaStream_t stream, const void *site)
{
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
        return cdp_device_fail(cudaErrorInvalidMemcpyDirection);
    }
    if (request->width == 0 || request->height == 0 || request->depth == 0) {
        return cudaSuccess;
    }
    const struct cdp_box *to = &request->to, *from = &request->from;
    bool pitches =
        (request->height == 1 || (to->pitch >= request->width && from->pitch >= request->width));
    if (!pitches) {
        return cdp_device_fail(cudaErrorInvalidPitchValue);
    }
    /* Shared memory belongs to a block, local memory to a thread, and host memory to the host. */
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    if (cdp_copy_check(request) != CDP_OK) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    if (is_constant(&request->to)) {
        return refuse_constant("copy", &request->to, site);
    }
    return launch(&copy_kernel, request, stream, site);
}

cudaError_t cdp_abi_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct cdp_copy request = cdp_copy_flat(to, from, bytes, CDP_DEVICE_TO_DEVICE);
    return copy(&request, kind, stream, __builtin_return_address(0));
}

cudaError_t cdp_abi_cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t height,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct cdp_copy request = {.to = {.base = to, .pitch = to_pitch, .slice = to_pitch * height},
                               .from = {.base = (char *)(uintptr_t)from,
                                        .pitch = from_pitch,
                                        .slice = from_pitch * height},
                               .width = width,
                               .height = height,
                               .depth = 1,
                               .direction = CDP_DEVICE_TO_DEVICE};
    return copy(&request, kind, stream, __builtin_return_address(0));
}

static struct cdp_box box_of(struct cudaPitchedPtr memory, struct cudaPos at)
{
    size_t slice = memory.pitch * memory.ysize;
    return (struct cdp_box){.base = (char *)memory.ptr + at.z * slice + at.y * memory.pitch + at.x,
                            .pitch = memory.pitch,
                            .slice = slice};
}

cudaError_t cdp_abi_cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parms, cudaStream_t stream)
{
    if (parms == NULL || parms->srcArray != NULL || parms->dstArray != NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    struct cdp_copy request = {.to = box_of(parms->dstPtr, parms->dstPos),
                               .from = box_of(parms->srcPtr, parms->srcPos),
                               .width = parms->extent.width,
                               .height = parms->extent.height,
                               .depth = parms->extent.depth,
                               .direction = CDP_DEVICE_TO_DEVICE};
    return copy(&request, parms->kind, stream, __builtin_return_address(0));
}

static cudaError_t set(const struct cdp_set *request, cudaStream_t stream, const void *site)
{
    if (request->width == 0 || request->height == 0 || request->depth == 0) {
        return cudaSuccess;
    }
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    if (cdp_set_check(request) != CDP_OK) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    if (is_constant(&request->to)) {
        return refuse_constant("fill", &request->to, site);
    }
    return launch(&set_kernel, request, stream, site);
}

cudaError_t cdp_abi_cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    struct cdp_set request = {.to = {.base = to, .pitch = bytes, .slice = bytes},
                              .width = bytes,
                              .height = 1,
                              .depth = 1,
                              .value = (unsigned char)value};
    return set(&request, stream, __builtin_return_address(0));
}

cudaError_t cdp_abi_cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                      size_t height, cudaStream_t stream)
{
    struct cdp_set request = {.to = {.base = to, .pitch = pitch, .slice = pitch * height},
                              .width = width,
                              .height = height,
                              .depth = 1,
                              .value = (unsigned char)value};
    return set(&request, stream, __builtin_return_address(0));
}

cudaError_t cdp_abi_cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                                      cudaStream_t stream)
{
    struct cdp_set request = {
        .to = {.base = to.ptr, .pitch = to.pitch, .slice = to.pitch * to.ysize},
        .width = extent.width,
        .height = extent.height,
        .depth = extent.depth,
        .value = (unsigned char)value};
    return set(&request, stream, __builtin_return_address(0));
}

/* The return address in the kernel. */
#define CALLER __builtin_return_address(0)

/* That of the grid's device. */
static struct cdp_heap *device_heap(void)
{
    return &cdp_runtime_running()->devices[cdp_grid_device(cdp_device_block()->grid)].device_heap;
}

static enum cdp_status take(const struct cdp_heap_request *request, void **out)
{
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    enum cdp_status status = cdp_heap_alloc(device_heap(), request, out);
    if (CDP_UNLIKELY(cdp_device_block()->races != NULL) && status == CDP_OK) {
        cdp_shadow_clear(*out, request->size);
    }
    return status;
}

static void *take_or_null(size_t size, size_t alignment, const void *site)
{
    struct cdp_heap_request request = {
        .size = size != 0 ? size : 1, .alignment = alignment, .site = site};
    void *memory;
    return take(&request, &memory) == CDP_OK ? memory : NULL;
}

void *cdp_abi_malloc(size_t size)
{
    return take_or_null(size, 0, CALLER);
}

void *cdp_abi_aligned_malloc(size_t size, size_t alignment)
{
    bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
    return power_of_two ? take_or_null(size, alignment, CALLER) : NULL;
}

void *cdp_abi_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return NULL;
    }
    void *memory = take_or_null(bytes, 0, CALLER);
    if (memory != NULL) {
        cdp_set_bytes(memory, 0, bytes);
    }
    return memory;
}

CDP_COLD CDP_NORETURN static void refuse_free(const char *call, const void *memory,
                                              const void *site)
{
    char reason[300];
    cdp_describe_wrong_free(memory, CDP_FREES_HEAP, reason, sizeof reason);
    cdp_fault_raise(CDP_FAULT_ADDRESS, (const char *)site - 1, "%s(%p): %s", call, memory, reason);
}

static void give(const char *call, void *memory, const void *site)
{
    if (memory == NULL) {
        return;
    }
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    if (cdp_heap_free(device_heap(), memory, site) != CDP_OK) {
        refuse_free(call, memory, site);
    }
}

void cdp_abi_free(void *memory)
{
    give("free", memory, CALLER);
}

cudaError_t cdp_abi_cudaMalloc(void **memory, size_t size)
{
    if (memory == NULL || size == 0) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    struct cdp_heap_request request = {.size = size, .alignment = 256, .site = CALLER};
    enum cdp_status status = take(&request, memory);
    if (status != CDP_OK) {
        *memory = NULL;
    }
    CDP_DEVICE_STORED(memory);
    return cdp_device_return(status);
}

cudaError_t cdp_abi_cudaFree(void *memory)
{
    give("cudaFree", memory, CALLER);
    return cudaSuccess;
}
