/* Stream memory operations: checks, and their way into streams. */
#include "api/memory_ops.h"

#include <stdatomic.h>
#include <string.h>

#include "api/capture.h"
#include "api/error.h"
#include "api/handle.h"
#include "api/memory.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "mem/memmap.h"

static bool is_valid(const struct cdp_memory_op *op)
{
    struct cdp_memory memory;
    size_t size = op->is_64 ? 8 : 4;
    cdp_memory_find(op->address, &memory);
    uintptr_t at = (uintptr_t)op->address - (uintptr_t)memory.base;
    return (uintptr_t)op->address % size == 0 && memory.space != CDP_SPACE_HOST &&
           !cdp_memory_is_managed(&memory) && at + size <= memory.size;
}

static cudaError_t check(const struct cdp_memory_ops_order *order)
{
    for (unsigned i = 0; i < order->count; i++) {
        if (!is_valid(&order->ops[i])) {
            return cudaErrorInvalidValue;
        }
    }
    return cudaSuccess;
}

cudaError_t cdp_work_of_memory_ops(const struct cdp_memory_ops_order *order, struct cdp_work *out)
{
    cudaError_t error = check(order);
    if (error != cudaSuccess) {
        return error;
    }
    size_t size = order->count * sizeof *order->ops;
    struct cdp_memory_ops *made = cdp_alloc(sizeof *made + size + order->params_size);
    if (made == NULL) {
        return cudaErrorMemoryAllocation;
    }
    atomic_init(&made->references, 1);
    made->count = order->count;
    made->params_size = order->params_size;
    made->params = (char *)made->ops + size;
    if (size != 0) {
        memcpy(made->ops, order->ops, size);
    }
    if (order->params_size != 0) {
        memcpy(made->params, order->params, order->params_size);
    }
    *out = (struct cdp_work){.type = CDP_NODE_MEMORY_OPS, .memory_ops = made};
    return cudaSuccess;
}

void cdp_memory_ops_retain(struct cdp_memory_ops *ops)
{
    atomic_fetch_add(&ops->references, 1);
}

void cdp_memory_ops_release(struct cdp_memory_ops *ops)
{
    if (atomic_fetch_sub(&ops->references, 1) == 1) {
        cdp_free(ops);
    }
}

bool cdp_memory_ops_are_alike(const struct cdp_memory_ops *a, const struct cdp_memory_ops *b)
{
    bool are_alike = a->count == b->count;
    for (unsigned i = 0; i < a->count && are_alike; i++) {
        are_alike = a->ops[i].is_wait == b->ops[i].is_wait && a->ops[i].is_64 == b->ops[i].is_64;
    }
    return are_alike;
}

static enum cdp_status queue(struct cdp_runtime *runtime, uint64_t stream,
                             const struct cdp_memory_op *ops, unsigned count)
{
    enum cdp_status status = CDP_OK;
    for (unsigned i = 0; i < count && status == CDP_OK; i++) {
        status = cdp_stream_memory_op(runtime->streams, stream, &ops[i]);
    }
    return status;
}

enum cdp_status cdp_memory_ops_queue(struct cdp_runtime *runtime, uint64_t stream,
                                     const struct cdp_memory_ops *ops)
{
    return queue(runtime, stream, ops->ops, ops->count);
}

cudaError_t cdp_memory_ops_submit(cudaStream_t stream, const struct cdp_memory_ops_order *order)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    error = check(order);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_memory_ops(stream, order, &error)) {
        return error;
    }
    return cdp_api_return(queue(runtime, cdp_handle_of_stream(stream), order->ops, order->count));
}
