/* Batches of copies. They are checked before the first one is queued. Then they are ordinary
 * copies, which the stream does in their order. */
#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/copy.h"
#include "api/error.h"
#include "api/handle.h"
#include "api/profile.h"
#include "api/runtime.h"
#include "exec/report/profile.h"
#include "exec/report/races.h"
#include "stream/stream.h"

enum { FLAGS = cudaMemcpyFlagPreferOverlapWithCompute };

/* The end of a call that one copy, or none (SIZE_MAX), has made fail. */
static cudaError_t fail(cudaError_t error, size_t *failed, size_t number)
{
    if (failed != NULL) {
        *failed = number;
    }
    return cdp_api_fail(error);
}

static bool is_order(enum cudaMemcpySrcAccessOrder order)
{
    return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

/* A batch has no place in the legacy stream, nor in a graph. A capture goes on, as on an H200. */
static cudaError_t check_stream(struct cdp_runtime *runtime, cudaStream_t stream)
{
    uint64_t handle = cdp_handle_of_stream(stream);
    struct cdp_stream_traits traits;
    if (cdp_stream_is_null(handle)) {
        return cudaErrorInvalidValue;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_contains(stream)) {
        return cudaErrorStreamCaptureUnsupported;
    }
    return cdp_error_of(cdp_stream_traits(runtime->streams, handle, &traits));
}

/* ---- Copies of bytes ---- */

struct flat {
    void **to, **from;
    const size_t *sizes;
    size_t count;
    const struct cudaMemcpyAttributes *attrs;
    const size_t *starts; /* of each attrs: the first copy that has it */
    size_t attr_count;
};

static bool are_attributes_valid(const struct flat *batch)
{
    bool are = batch->attrs != NULL && batch->starts != NULL && batch->attr_count > 0 &&
               batch->attr_count <= batch->count && batch->starts[0] == 0;
    for (size_t i = 0; i < batch->attr_count && are; i++) {
        are = is_order(batch->attrs[i].srcAccessOrder) &&
              (batch->attrs[i].flags & ~(unsigned)FLAGS) == 0 && batch->starts[i] < batch->count &&
              (i == 0 || batch->starts[i] > batch->starts[i - 1]);
    }
    return are;
}

static cudaError_t check_flat(const struct flat *batch, size_t number)
{
    struct cdp_copy copy = cdp_copy_flat(batch->to[number], batch->from[number],
                                         batch->sizes[number], CDP_DIRECTION_DEFAULT);
    bool is_there =
        batch->to[number] != NULL && batch->from[number] != NULL && batch->sizes[number] != 0;
    return is_there ? cdp_error_of(cdp_copy_check(&copy)) : cudaErrorInvalidValue;
}

static cudaError_t run_flat(const struct flat *batch, cudaStream_t stream, size_t *failed)
{
    cudaError_t error = cudaSuccess;
    size_t attr = 0;
    for (size_t i = 0; i < batch->count && error == cudaSuccess; i++) {
        attr += attr + 1 < batch->attr_count && batch->starts[attr + 1] == i;
        struct cdp_copy_order order = {.stream = stream,
                                       .is_async = true,
                                       .reads_now = batch->attrs[attr].srcAccessOrder ==
                                                    cudaMemcpySrcAccessOrderDuringApiCall};
        error = cdp_copy_flat_by(batch->to[i], batch->from[i], batch->sizes[i], cudaMemcpyDefault,
                                 &order);
        if (error != cudaSuccess) {
            return fail(error, failed, i);
        }
    }
    return error;
}

cudaError_t cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                                 struct cudaMemcpyAttributes *attrs, size_t *starts,
                                 size_t attr_count, size_t *failed, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_runtime *runtime;
    const struct flat batch = {dsts, srcs, sizes, count, attrs, starts, attr_count};
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (count == 0 || dsts == NULL || srcs == NULL || sizes == NULL ||
        !are_attributes_valid(&batch)) {
        return fail(cudaErrorInvalidValue, failed, SIZE_MAX);
    }
    error = check_stream(runtime, stream);
    if (error != cudaSuccess) {
        return fail(error, failed, SIZE_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        error = check_flat(&batch, i);
        if (error != cudaSuccess) {
            return fail(error, failed, i);
        }
    }
    return run_flat(&batch, stream, failed);
}

CDP_EXPORT cudaError_t cudaMemcpyBatchAsync_ptsz(void **dsts, void **srcs, size_t *sizes,
                                                 size_t count, struct cudaMemcpyAttributes *attrs,
                                                 size_t *starts, size_t attr_count, size_t *failed,
                                                 cudaStream_t stream);
cudaError_t cudaMemcpyBatchAsync_ptsz(void **dsts, void **srcs, size_t *sizes, size_t count,
                                      struct cudaMemcpyAttributes *attrs, size_t *starts,
                                      size_t attr_count, size_t *failed, cudaStream_t stream)
{
    return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, starts, attr_count, failed,
                                stream != NULL ? stream : cudaStreamPerThread);
}

/* ---- Copies of boxes ---- */

/* Of the other side, which is an array, or 1. */
static size_t element_bytes(const struct cudaMemcpy3DBatchOp *op)
{
    const struct cudaMemcpy3DOperand *side =
        op->src.type == cudaMemcpyOperandTypeArray ? &op->src : &op->dst;
    return side->type == cudaMemcpyOperandTypeArray ? cdp_copy_element_bytes(side->op.array.array)
                                                    : 1;
}

static struct cudaPitchedPtr pointer_of(const struct cudaMemcpy3DOperand *side,
                                        const struct cudaMemcpy3DBatchOp *op)
{
    size_t row = side->op.ptr.rowLength, height = side->op.ptr.layerHeight;
    return (struct cudaPitchedPtr){.ptr = side->op.ptr.ptr,
                                   .pitch = (row != 0 ? row : op->extent.width) * element_bytes(op),
                                   .xsize = op->extent.width,
                                   .ysize = height != 0 ? height : op->extent.height};
}

static struct cudaPos position_of(const struct cudaMemcpy3DOperand *side)
{
    const struct cudaOffset3D *offset = &side->op.array.offset;
    return (struct cudaPos){offset->x, offset->y, offset->z};
}

static bool is_operand(const struct cudaMemcpy3DOperand *side)
{
    return side->type == cudaMemcpyOperandTypePointer || side->type == cudaMemcpyOperandTypeArray;
}

/* False: it is not valid. */
static bool describe(const struct cudaMemcpy3DBatchOp *op, struct cudaMemcpy3DParms *out)
{
    *out = (struct cudaMemcpy3DParms){.extent = op->extent, .kind = cudaMemcpyDefault};
    const struct cudaMemcpy3DOperand *from = &op->src, *to = &op->dst;
    if (from->type == cudaMemcpyOperandTypeArray) {
        out->srcArray = from->op.array.array;
        out->srcPos = position_of(from);
    } else {
        out->srcPtr = pointer_of(from, op);
    }
    if (to->type == cudaMemcpyOperandTypeArray) {
        out->dstArray = to->op.array.array;
        out->dstPos = position_of(to);
    } else {
        out->dstPtr = pointer_of(to, op);
    }
    bool has_from =
        from->type == cudaMemcpyOperandTypeArray ? out->srcArray != NULL : out->srcPtr.ptr != NULL;
    bool has_to =
        to->type == cudaMemcpyOperandTypeArray ? out->dstArray != NULL : out->dstPtr.ptr != NULL;
    return is_operand(from) && is_operand(to) && has_from && has_to && op->extent.width != 0 &&
           op->extent.height != 0 && op->extent.depth != 0 && is_order(op->srcAccessOrder) &&
           (op->flags & ~(unsigned)FLAGS) == 0;
}

static cudaError_t check_box(const struct cudaMemcpy3DBatchOp *op)
{
    struct cudaMemcpy3DParms params;
    struct cdp_copy copy;
    if (!describe(op, &params)) {
        return cudaErrorInvalidValue;
    }
    cudaError_t error = cdp_copy_of_3d(&params, &copy);
    return error != cudaSuccess ? error : cdp_error_of(cdp_copy_check(&copy));
}

static cudaError_t run_box(const struct cudaMemcpy3DBatchOp *op, cudaStream_t stream)
{
    struct cudaMemcpy3DParms params;
    struct cdp_copy_order order = {.stream = stream,
                                   .is_async = true,
                                   .reads_now =
                                       op->srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall};
    (void)describe(op, &params);
    return cdp_copy_3d_by(&params, &order);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *ops, size_t *failed,
                                   unsigned long long flags, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (count == 0 || ops == NULL || flags != 0) {
        return fail(cudaErrorInvalidValue, failed, SIZE_MAX);
    }
    error = check_stream(runtime, stream);
    if (error != cudaSuccess) {
        return fail(error, failed, SIZE_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        error = check_box(&ops[i]);
        if (error != cudaSuccess) {
            return fail(error, failed, i);
        }
    }
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        error = run_box(&ops[i], stream);
        if (error != cudaSuccess) {
            return fail(error, failed, i);
        }
    }
    return error;
}

CDP_EXPORT cudaError_t cudaMemcpy3DBatchAsync_ptsz(size_t count, struct cudaMemcpy3DBatchOp *ops,
                                                   size_t *failed, unsigned long long flags,
                                                   cudaStream_t stream);
cudaError_t cudaMemcpy3DBatchAsync_ptsz(size_t count, struct cudaMemcpy3DBatchOp *ops,
                                        size_t *failed, unsigned long long flags,
                                        cudaStream_t stream)
{
    return cudaMemcpy3DBatchAsync(count, ops, failed, flags,
                                  stream != NULL ? stream : cudaStreamPerThread);
}
