/* Copies and fills.
 *
 * A synchronous call takes its turn in the NULL stream and moves the bytes on the calling thread.
 * Workers help with large copies. An asynchronous call does the same at once in two cases. In the
 * first, its stream is idle and the copy is small. In the second, the host memory was not allocated
 * or registered by the runtime. (In CUDA, too, such memory has been read or written when the call
 * returns.) Otherwise the call is queued. */
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/array.h"
#include "api/capture.h"
#include "api/copy.h"
#include "api/error.h"
#include "api/handle.h"
#include "api/move.h"
#include "api/runtime.h"
#include "exec/report/fault.h"
#include "exec/report/profile.h"
#include "exec/report/races.h"
#include "exec/state/engine.h"
#include "mem/copy.h"
#include "mem/memmap.h"

/* Below this size, to move the bytes takes no longer than to wake a worker for it. */
#define SMALL_BYTES ((size_t)256 << 10)

/* A queued call. Its memory was valid when it was submitted, but may have been freed since. */
static void run_queued(void *data)
{
    struct cdp_engine *engine = cdp_runtime_running()->engine;
    const struct cdp_transfer *transfer = data;
    const void *address;
    if (!cdp_move(engine, transfer, &address)) {
        cdp_fault_set(
            engine, transfer->device, CDP_FAULT_ADDRESS,
            "a copy or fill in a stream cannot access %p: the memory was freed after the call",
            address);
    }
}

/* On the calling thread. The host's side of a copy may be any address; the runtime of a GPU ends
 * the process if it is a wrong one. */
static enum cdp_status run_here(struct cdp_runtime *runtime, const struct cdp_transfer *transfer)
{
    const void *address;
    if (cdp_move(runtime->engine, transfer, &address)) {
        return CDP_OK;
    }
    fprintf(stderr,
            "cdp: cudaErrorInvalidValue: a copy was given host memory that is not mapped, or is "
            "read-only: address %p\n",
            address);
    return CDP_INVALID_VALUE;
}

/* Executes the call within a turn that has been granted. */
static cudaError_t run_in_turn(struct cdp_runtime *runtime, struct cdp_command *turn,
                               const struct cdp_transfer *transfer)
{
    enum cdp_status status = cdp_engine_fault(runtime->engine, cdp_device_number, NULL);
    if (status == CDP_OK) {
        cdp_stream_turn_checks(turn, true);
        status = run_here(runtime, transfer);
        cdp_stream_turn_checks(turn, false);
    }
    cdp_stream_end_turn(runtime->streams, turn);
    return cdp_api_return(status);
}

static cudaError_t transfer_now(struct cdp_runtime *runtime, cudaStream_t stream,
                                const struct cdp_transfer *transfer)
{
    struct cdp_command *turn;
    enum cdp_status status =
        cdp_stream_begin_turn(runtime->streams, cdp_handle_of_stream(stream), &turn);
    if (status != CDP_OK) {
        return cdp_api_return(status);
    }
    cudaError_t error = run_in_turn(runtime, turn, transfer);
    cdp_stream_note_wait(runtime->streams, cdp_handle_of_stream(stream));
    return error != cudaSuccess ? error : cdp_api_synchronized(runtime, CDP_OK);
}

static bool is_small(const struct cdp_transfer *transfer)
{
    size_t bytes = transfer->is_set
                       ? transfer->set.width * transfer->set.height * transfer->set.depth
                       : transfer->copy.width * transfer->copy.height * transfer->copy.depth;
    return bytes <= SMALL_BYTES;
}

static bool touches_pageable(const struct cdp_transfer *transfer)
{
    return !transfer->is_set &&
           (cdp_copy_reads_pageable(&transfer->copy) || cdp_copy_writes_pageable(&transfer->copy));
}

enum cdp_status cdp_copy_queue(struct cdp_runtime *runtime, uint64_t stream,
                               const struct cdp_transfer *transfer)
{
    struct cdp_stream_call call = {.run = run_queued, .data = transfer, .size = sizeof *transfer};
    return cdp_stream_call(runtime->streams, stream, &call);
}

static cudaError_t transfer_async(struct cdp_runtime *runtime, const struct cdp_copy_order *order,
                                  const struct cdp_transfer *transfer)
{
    uint64_t handle = cdp_handle_of_stream(order->stream);
    struct cdp_command *turn;
    enum cdp_status status = CDP_NOT_READY;
    if (order->reads_now || touches_pageable(transfer)) {
        status = cdp_stream_begin_turn(runtime->streams, handle, &turn);
    } else if (is_small(transfer)) {
        status = cdp_stream_try_turn(runtime->streams, handle, &turn);
    }
    if (status == CDP_OK) {
        return run_in_turn(runtime, turn, transfer);
    }
    if (status != CDP_NOT_READY) {
        return cdp_api_return(status);
    }
    return cdp_api_return(cdp_copy_queue(runtime, handle, transfer));
}

/* The device of the stream fills the memory, so it must have access to it. Copies need none. */
static bool may_set(struct cdp_runtime *runtime, const void *ptr, cudaStream_t stream)
{
    struct cdp_stream_traits traits;
    struct cdp_memory memory;
    cdp_memmap_find(ptr, &memory);
    return memory.space != CDP_SPACE_DEVICE || memory.kind != CDP_MEMORY_DEVICE ||
           cdp_stream_traits(runtime->streams, cdp_handle_of_stream(stream), &traits) != CDP_OK ||
           cdp_engine_may_access(runtime->engine, traits.device, memory.device);
}

static cudaError_t submit(const struct cdp_copy_order *order, struct cdp_transfer *transfer)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    enum cdp_status status =
        transfer->is_set ? cdp_set_check(&transfer->set) : cdp_copy_check(&transfer->copy);
    if (status != CDP_OK) {
        return cdp_api_return(status);
    }
    if (CDP_UNLIKELY(runtime->device_count > 1) && transfer->is_set && order->is_async &&
        !may_set(runtime, transfer->set.to.base, order->stream)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    transfer->device = (uint8_t)cdp_device_number;
    /* After an unread error it is no wonder that nobody wrote the source: that error is told. */
    transfer->call_site = cdp_error_last() == cudaSuccess ? cdp_races_call_site : NULL;
    cudaError_t captured;
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_transfer(order, transfer, &captured)) {
        return captured;
    }
    return order->is_async ? transfer_async(runtime, order, transfer)
                           : transfer_now(runtime, order->stream, transfer);
}

static const struct cdp_copy_order synchronous = {.stream = NULL, .is_async = false};

cudaError_t cdp_copy_flat_by(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind,
                             const struct cdp_copy_order *order)
{
    struct cdp_transfer transfer = {.copy =
                                        cdp_copy_flat(dst, src, size, (enum cdp_direction)kind)};
    return submit(order, &transfer);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    return cdp_copy_flat_by(dst, src, size, kind, &synchronous);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return cdp_copy_flat_by(dst, src, size, kind, &order);
}

/* Copies need no access by kernels (cudaDeviceEnablePeerAccess). */
static cudaError_t check_peers(int dst_device, int src_device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    return cdp_device_exists(runtime, dst_device) && cdp_device_exists(runtime, src_device)
               ? cudaSuccess
               : cdp_api_fail(cudaErrorInvalidDevice);
}

cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t size)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    cudaError_t error = check_peers(dst_device, src_device);
    if (error != cudaSuccess) {
        return error;
    }
    return cdp_copy_flat_by(dst, src, size, cudaMemcpyDeviceToDevice, &synchronous);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                size_t size, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    cudaError_t error = check_peers(dst_device, src_device);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return cdp_copy_flat_by(dst, src, size, cudaMemcpyDeviceToDevice, &order);
}

/* ---- 2D and 3D ---- */

cudaError_t cdp_copy_2d(const struct cdp_copy *copy, const struct cdp_copy_order *order)
{
    if (copy->to.pitch < copy->width || copy->from.pitch < copy->width) {
        return cdp_api_fail(cudaErrorInvalidPitchValue);
    }
    struct cdp_transfer transfer = {.copy = *copy};
    return submit(order, &transfer);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_copy copy = {.to = {.base = dst, .pitch = dst_pitch},
                            .from = {.base = (char *)(uintptr_t)src, .pitch = src_pitch},
                            .width = width,
                            .height = height,
                            .depth = 1,
                            .direction = (enum cdp_direction)kind};
    return cdp_copy_2d(&copy, &synchronous);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct cdp_copy copy = {.to = {.base = dst, .pitch = dst_pitch},
                            .from = {.base = (char *)(uintptr_t)src, .pitch = src_pitch},
                            .width = width,
                            .height = height,
                            .depth = 1,
                            .direction = (enum cdp_direction)kind};
    return cdp_copy_2d(&copy, &order);
}

static struct cdp_box box_of(const struct cudaPitchedPtr *ptr, const struct cudaPos *position)
{
    struct cdp_box box = {.base = ptr->ptr, .pitch = ptr->pitch, .slice = ptr->pitch * ptr->ysize};
    if (box.base != NULL) {
        box.base += position->x + position->y * box.pitch + position->z * box.slice;
    }
    return box;
}

/* One side that is an array, starting at pos. */
static cudaError_t array_side(struct cdp_runtime *runtime, cudaArray_const_t handle,
                              const struct cudaPos *pos, const struct cudaExtent *texels,
                              struct cdp_box *out)
{
    const struct cdp_array *array =
        cdp_table_find_array(&runtime->textures, cdp_handle_of_array(handle));
    if (array == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    return cdp_array_box(array, pos, texels, out) ? cudaSuccess : cudaErrorInvalidValue;
}

size_t cdp_copy_element_bytes(cudaArray_const_t array)
{
    const struct cdp_array *found =
        array == NULL
            ? NULL
            : cdp_table_find_array(&cdp_runtime_running()->textures, cdp_handle_of_array(array));
    return found != NULL ? cdp_texel_bytes(&found->shape.format) : 1;
}

cudaError_t cdp_copy_of_3d(const struct cudaMemcpy3DParms *params, struct cdp_copy *out)
{
    struct cdp_runtime *runtime = cdp_runtime_running();
    const struct cudaExtent *extent = &params->extent;
    /* The extent counts texels if one side is an array, otherwise bytes. */
    cudaArray_const_t array = params->dstArray != NULL ? params->dstArray : params->srcArray;
    *out = (struct cdp_copy){.to = box_of(&params->dstPtr, &params->dstPos),
                             .from = box_of(&params->srcPtr, &params->srcPos),
                             .width = extent->width * cdp_copy_element_bytes(array),
                             .height = extent->height,
                             .depth = extent->depth,
                             .direction = (enum cdp_direction)params->kind};
    cudaError_t error = cudaSuccess;
    if (params->dstArray != NULL) {
        error = array_side(runtime, params->dstArray, &params->dstPos, extent, &out->to);
    }
    if (error == cudaSuccess && params->srcArray != NULL) {
        error = array_side(runtime, params->srcArray, &params->srcPos, extent, &out->from);
    }
    bool is_double = (params->dstArray != NULL && params->dstPtr.ptr != NULL) ||
                     (params->srcArray != NULL && params->srcPtr.ptr != NULL);
    return error == cudaSuccess && is_double ? cudaErrorInvalidValue : error;
}

cudaError_t cdp_copy_3d_by(const struct cudaMemcpy3DParms *params,
                           const struct cdp_copy_order *order)
{
    struct cdp_runtime *runtime;
    struct cdp_transfer transfer = {.is_set = false};
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (params == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    error = cdp_copy_of_3d(params, &transfer.copy);
    return error != cudaSuccess ? cdp_api_fail(error) : submit(order, &transfer);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *params)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    return cdp_copy_3d_by(params, &synchronous);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *params, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return cdp_copy_3d_by(params, &order);
}

static cudaError_t copy_3d_peer(const struct cudaMemcpy3DPeerParms *params,
                                const struct cdp_copy_order *order)
{
    if (params == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cudaError_t error = check_peers(params->dstDevice, params->srcDevice);
    struct cudaMemcpy3DParms plain = {.srcArray = params->srcArray,
                                      .srcPos = params->srcPos,
                                      .srcPtr = params->srcPtr,
                                      .dstArray = params->dstArray,
                                      .dstPos = params->dstPos,
                                      .dstPtr = params->dstPtr,
                                      .extent = params->extent,
                                      .kind = cudaMemcpyDeviceToDevice};
    return error != cudaSuccess ? error : cdp_copy_3d_by(&plain, order);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *params)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    return copy_3d_peer(params, &synchronous);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *params, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy_3d_peer(params, &order);
}

/* ---- Fills ---- */

cudaError_t cdp_set_by(const struct cdp_set *set, const struct cdp_copy_order *order)
{
    struct cdp_transfer transfer = {.is_set = true, .set = *set};
    return submit(order, &transfer);
}

static struct cdp_set set_flat(void *ptr, int value, size_t size)
{
    return (struct cdp_set){.to = {.base = ptr, .pitch = size, .slice = size},
                            .width = size,
                            .height = 1,
                            .depth = 1,
                            .value = (unsigned char)value};
}

cudaError_t cudaMemset(void *ptr, int value, size_t size)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_set set = set_flat(ptr, value, size);
    return cdp_set_by(&set, &synchronous);
}

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t size, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct cdp_set set = set_flat(ptr, value, size);
    return cdp_set_by(&set, &order);
}

static struct cdp_set set_2d(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
    return (struct cdp_set){.to = {.base = ptr, .pitch = pitch},
                            .width = width,
                            .height = height,
                            .depth = 1,
                            .value = (unsigned char)value};
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_set set = set_2d(ptr, pitch, value, width, height);
    return cdp_set_by(&set, &synchronous);
}

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct cdp_set set = set_2d(ptr, pitch, value, width, height);
    return cdp_set_by(&set, &order);
}

static struct cdp_set set_of_3d(const struct cudaPitchedPtr *ptr, int value,
                                const struct cudaExtent *extent)
{
    static const struct cudaPos origin;
    return (struct cdp_set){.to = box_of(ptr, &origin),
                            .width = extent->width,
                            .height = extent->height,
                            .depth = extent->depth,
                            .value = (unsigned char)value};
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_set set = set_of_3d(&ptr, value, &extent);
    return cdp_set_by(&set, &synchronous);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct cdp_set set = set_of_3d(&ptr, value, &extent);
    return cdp_set_by(&set, &order);
}
