/* The operations: their arguments are checked here, and become ops of the thread's group. */
#include <stdint.h>
#include <string.h>

#include "nccl.h"

#include "api/error.h"
#include "api/nccl/group.h"
#include "api/nccl/shape.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "exec/report/races.h"
#include "mem/copy.h"

/* The parts of the number of a created reduction. */
enum { OP_COMM_BITS = 18, MOST_SCALES = 1 << 12 };

/* A call as the program made it. */
struct request {
    struct cdp_nccl_op op;
    const void *from;
    void *to;
    cudaStream_t stream;
};

/* ---- Arguments ---- */

static ncclResult_t check_numbers(const struct cdp_nccl_op *op, int ranks)
{
    size_t bytes;
    if (cdp_nccl_type_size(op->type) == 0) {
        return cdp_nccl_fail(ncclInvalidArgument, "%d is no type", (int)op->type);
    }
    if (op->root < 0 || op->root >= ranks) {
        return cdp_nccl_fail(ncclInvalidArgument, "the %s %d is not one of the ranks 0 to %d",
                             op->kind >= CDP_NCCL_SEND ? "peer" : "root", op->root, ranks - 1);
    }
    if (__builtin_mul_overflow(op->count, cdp_nccl_type_size(op->type) * (size_t)ranks, &bytes) ||
        bytes > PTRDIFF_MAX) {
        return cdp_nccl_fail(ncclInvalidArgument, "%zu elements do not fit into memory", op->count);
    }
    return ncclSuccess;
}

/* Created reductions have numbers that differ by communicator, so that one of another is found:
 * above ncclNumOps, bits of the communicator's handle, then its place in comm->scales. */
static int first_op(const struct cdp_nccl_comm *comm)
{
    uint32_t hash = (uint32_t)(uintptr_t)(void *)comm->handle * UINT32_C(0x9e3779b1);
    return ncclNumOps + (int)(hash >> (32 - OP_COMM_BITS)) * MOST_SCALES;
}

/* NULL: it is not one of the communicator's. */
static struct cdp_nccl_scale *find_scale(const struct cdp_nccl_comm *comm, int op)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    int number = op - first_op(comm);
    bool is_live = number >= 0 && number < comm->scale_count && comm->scales[number].is_live;
    return is_live ? &comm->scales[number] : NULL;
}

/* Resolves a created reduction. */
static ncclResult_t check_reduction(struct cdp_nccl_op *op, const struct cdp_nccl_comm *comm)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (op->op >= 0 && op->op < ncclNumOps) {
        return ncclSuccess;
    }
    const struct cdp_nccl_scale *scale = find_scale(comm, op->op);
    if (scale == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument,
                             "%d is no reduction, nor one that ncclRedOpCreatePreMulSum made for "
                             "this communicator",
                             op->op);
    }
    op->scale = *scale;
    op->op = CDP_NCCL_PRE_MUL_SUM;
    return op->scale.type == op->type
               ? ncclSuccess
               : cdp_nccl_fail(ncclInvalidArgument, "the reduction was made for %s, not for %s",
                               cdp_nccl_type_name(op->scale.type), cdp_nccl_type_name(op->type));
}

static ncclResult_t check_memory(const struct cdp_nccl_op *op, int ranks)
{
    size_t read = cdp_nccl_bytes_read(op, ranks), written = cdp_nccl_bytes_written(op, ranks);
    struct cdp_copy from =
        cdp_copy_flat((void *)(uintptr_t)op->from, op->from, read, CDP_DEVICE_TO_HOST);
    struct cdp_set to = {
        .to = {.base = op->to, .pitch = written}, .width = written, .height = 1, .depth = 1};
    if (read > 0 && cdp_copy_check(&from) != CDP_OK) {
        return cdp_nccl_fail(ncclInvalidArgument,
                             "the send buffer %p is not %zu bytes of device memory",
                             (const void *)op->from, read);
    }
    if (written > 0 && cdp_set_check(&to) != CDP_OK) {
        return cdp_nccl_fail(ncclInvalidArgument,
                             "the receive buffer %p is not %zu bytes of device memory",
                             (void *)op->to, written);
    }
    return ncclSuccess;
}

static bool reduces(const struct cdp_nccl_op *op)
{
    return op->kind == CDP_NCCL_ALL_REDUCE || op->kind == CDP_NCCL_REDUCE ||
           op->kind == CDP_NCCL_REDUCE_SCATTER;
}

static bool is_received(const struct cdp_nccl_op *op, int rank)
{
    return op->kind != CDP_NCCL_SEND && (op->kind != CDP_NCCL_REDUCE || op->root == rank);
}

static bool is_sent(const struct cdp_nccl_op *op, int rank)
{
    return op->kind != CDP_NCCL_RECEIVE && (op->kind != CDP_NCCL_BROADCAST || op->root == rank);
}

static ncclResult_t check(struct request *request, const struct cdp_nccl_comm *comm)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_op *op = &request->op;
    ncclResult_t result = check_numbers(op, comm->world->size);
    if (result == ncclSuccess && reduces(op)) {
        result = check_reduction(op, comm);
    }
    if (result != ncclSuccess) {
        return result;
    }
    bool reads = is_sent(op, comm->rank), writes = is_received(op, comm->rank);
    if (op->count > 0 && ((reads && request->from == NULL) || (writes && request->to == NULL))) {
        return cdp_nccl_fail(ncclInvalidArgument, "the %s buffer is NULL",
                             reads && request->from == NULL ? "send" : "receive");
    }
    op->from = reads ? request->from : NULL;
    op->to = writes ? request->to : NULL;
    return check_memory(op, comm->world->size);
}

/* The stream must be one of the communicator's device, whichever is current. */
static ncclResult_t check_stream(struct cdp_runtime *runtime, const struct request *request,
                                 unsigned device, uint64_t *out)
{
    uint64_t handle = (uintptr_t)(void *)request->stream;
    struct cdp_stream_traits traits;
    handle += handle <= CDP_STREAM_PER_THREAD ? device * CDP_STREAM_DEVICE : 0;
    *out = handle;
    if (cdp_stream_traits(runtime->streams, handle, &traits) != CDP_OK) {
        return cdp_nccl_fail(ncclInvalidArgument, "%p is no stream", (void *)request->stream);
    }
    if (traits.device != device) {
        return cdp_nccl_fail(ncclInvalidArgument,
                             "the stream belongs to device %u and the communicator to device %u",
                             traits.device, device);
    }
    enum cdp_status status = cdp_engine_fault(runtime->engine, device, NULL);
    return status == CDP_OK ? ncclSuccess : cdp_nccl_cuda(cdp_error_of(status));
}

static ncclResult_t submit(struct request *request, ncclComm_t handle)
{
    struct cdp_runtime *runtime;
    struct cdp_nccl_comm *comm;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        cdp_nccl_call = request->op.call;
        return cdp_nccl_cuda(error);
    }
    ncclResult_t result = cdp_nccl_enter_world(request->op.call, handle, &comm);
    if (result != ncclSuccess) {
        cdp_nccl_note_early(comm);
        return cdp_nccl_leave(result);
    }
    result = check(request, comm);
    struct cdp_nccl_batch like = {.comm = comm, .given = request->stream};
    unsigned device = comm->device;
    cdp_nccl_say(CDP_NCCL_TRACE, "%s: rank %d, %zu %s from %p to %p", request->op.call, comm->rank,
                 request->op.count, cdp_nccl_type_name(request->op.type), request->from,
                 request->to);
    (void)cdp_nccl_leave(result);
    if (result == ncclSuccess) {
        result = check_stream(runtime, request, device, &like.stream);
    }
    return result != ncclSuccess ? result : cdp_nccl_group_op(&like, &request->op);
}

static ncclResult_t call(enum cdp_nccl_kind kind, const char *name, struct request request,
                         ncclComm_t comm)
{
    request.op.kind = kind;
    request.op.call = name;
    ncclResult_t result = submit(&request, comm);
    return result == ncclSuccess ? result : cdp_nccl_group_error(result);
}

/* ---- Calls ---- */

ncclResult_t ncclAllReduce(const void *send, void *recv, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    CDP_RACES_CALL();
    return call(CDP_NCCL_ALL_REDUCE, "ncclAllReduce",
                (struct request){.op = {.count = count, .type = type, .op = (int)op},
                                 .from = send,
                                 .to = recv,
                                 .stream = stream},
                comm);
}

ncclResult_t ncclReduce(const void *send, void *recv, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream)
{
    CDP_RACES_CALL();
    return call(CDP_NCCL_REDUCE, "ncclReduce",
                (struct request){.op = {.count = count, .type = type, .op = (int)op, .root = root},
                                 .from = send,
                                 .to = recv,
                                 .stream = stream},
                comm);
}

ncclResult_t ncclReduceScatter(const void *send, void *recv, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    CDP_RACES_CALL();
    return call(CDP_NCCL_REDUCE_SCATTER, "ncclReduceScatter",
                (struct request){.op = {.count = count, .type = type, .op = (int)op},
                                 .from = send,
                                 .to = recv,
                                 .stream = stream},
                comm);
}

ncclResult_t ncclBroadcast(const void *send, void *recv, size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream)
{
    CDP_RACES_CALL();
    return call(CDP_NCCL_BROADCAST, "ncclBroadcast",
                (struct request){.op = {.count = count, .type = type, .root = root},
                                 .from = send,
                                 .to = recv,
                                 .stream = stream},
                comm);
}

ncclResult_t ncclBcast(void *buff, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream)
{
    CDP_RACES_CALL();
    return call(CDP_NCCL_BROADCAST, "ncclBcast",
                (struct request){.op = {.count = count, .type = type, .root = root},
                                 .from = buff,
                                 .to = buff,
                                 .stream = stream},
                comm);
}

ncclResult_t ncclAllGather(const void *send, void *recv, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream)
{
    CDP_RACES_CALL();
    return call(
        CDP_NCCL_ALL_GATHER, "ncclAllGather",
        (struct request){
            .op = {.count = count, .type = type}, .from = send, .to = recv, .stream = stream},
        comm);
}

ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream)
{
    CDP_RACES_CALL();
    return call(CDP_NCCL_SEND, "ncclSend",
                (struct request){.op = {.count = count, .type = type, .root = peer},
                                 .from = send,
                                 .stream = stream},
                comm);
}

ncclResult_t ncclRecv(void *recv, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream)
{
    CDP_RACES_CALL();
    return call(CDP_NCCL_RECEIVE, "ncclRecv",
                (struct request){.op = {.count = count, .type = type, .root = peer},
                                 .to = recv,
                                 .stream = stream},
                comm);
}

/* ---- Created reductions ---- */

/* A free slot; -1: no memory, or all are used. */
static int free_scale(struct cdp_nccl_comm *comm) CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int i = 0; i < comm->scale_count; i++) {
        if (!comm->scales[i].is_live) {
            return i;
        }
    }
    size_t size = ((size_t)comm->scale_count + 1) * sizeof comm->scales[0];
    struct cdp_nccl_scale *larger =
        comm->scale_count < MOST_SCALES ? cdp_realloc(comm->scales, size) : NULL;
    if (larger == NULL) {
        return -1;
    }
    comm->scales = larger;
    return comm->scale_count++;
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t handle)
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter_world("ncclRedOpCreatePreMulSum", handle, &comm);
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    struct cdp_nccl_scale scale = {.is_live = true, .type = type};
    int number = -1, first = first_op(comm);
    bool is_valid = op != NULL && scalar != NULL && cdp_nccl_type_size(type) > 0;
    if (is_valid) {
        if (residence == ncclScalarDevice) {
            scale.device = scalar;
        } else {
            memcpy(&scale.value, scalar, cdp_nccl_type_size(type));
        }
        number = free_scale(comm);
        if (number >= 0) {
            comm->scales[number] = scale;
        }
    }
    (void)cdp_nccl_leave(result);
    if (op == NULL || scalar == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument, "the place for the result or the scalar is NULL");
    }
    if (!is_valid) { /* NVIDIA's library has this code, too */
        return cdp_nccl_fail(ncclInternalError, "%d is no type", (int)type);
    }
    if (number < 0) {
        return cdp_nccl_fail(ncclSystemError,
                             "there is no memory for another reduction, or there are too many");
    }
    *op = (ncclRedOp_t)(first + number);
    return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t handle)
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter("ncclRedOpDestroy", handle, &comm);
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    struct cdp_nccl_scale *scale = find_scale(comm, (int)op);
    if (scale != NULL) {
        scale->is_live = false;
    }
    (void)cdp_nccl_leave(result);
    return scale != NULL
               ? ncclSuccess
               : cdp_nccl_fail(ncclInvalidArgument,
                               "%d is no reduction that was made for this communicator", (int)op);
}
