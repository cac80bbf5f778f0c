/* Stream memory operations. What is checked and how is that of an H200. */
#include "api/driver/driver.h"

#include "cuda_runtime_api.h"

#include "api/memory_ops.h"

#define CALLER __builtin_return_address(0)

static CUresult wait_of(const CUstreamBatchMemOpParams *params, bool is_64,
                        struct cdp_memory_op *out)
{
    unsigned flags = params->waitValue.flags;
    if ((flags & CU_STREAM_WAIT_VALUE_FLUSH) != 0) {
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    *out =
        (struct cdp_memory_op){.address = cdp_address_of(params->waitValue.address),
                               .value = is_64 ? params->waitValue.value64 : params->waitValue.value,
                               .is_wait = true,
                               .is_64 = is_64,
                               .test = (enum cdp_memory_test)flags};
    return flags <= CU_STREAM_WAIT_VALUE_NOR ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult write_of(const CUstreamBatchMemOpParams *params, bool is_64,
                         struct cdp_memory_op *out)
{
    *out = (struct cdp_memory_op){.address = cdp_address_of(params->writeValue.address),
                                  .value =
                                      is_64 ? params->writeValue.value64 : params->writeValue.value,
                                  .is_64 = is_64};
    return params->writeValue.flags == CU_STREAM_WRITE_VALUE_DEFAULT ? CUDA_SUCCESS
                                                                     : CUDA_ERROR_INVALID_VALUE;
}

/* One operation in the runtime's terms. *is_op: false: there is nothing to do, since the operations
 * of a stream are in order anyway. */
static CUresult op_of(const CUstreamBatchMemOpParams *params, struct cdp_memory_op *out,
                      bool *is_op)
{
    *is_op = true;
    switch ((int)params->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        return wait_of(params, false, out);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        return wait_of(params, true, out);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        return write_of(params, false, out);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        return write_of(params, true, out);
    case CU_STREAM_MEM_OP_BARRIER:
        *is_op = false;
        return params->memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* A batch in the runtime's terms. Life: of a call. */
struct batch {
    struct cdp_memory_op ops[CDP_MOST_MEMORY_OPS];
    struct cdp_memory_ops_order order;
};

/* site: the program's call. */
static CUresult batch_of(const CUstreamBatchMemOpParams *params, unsigned count, const void *site,
                         struct batch *out)
{
    CUresult result = CUDA_SUCCESS;
    if (count > CDP_MOST_MEMORY_OPS || (count != 0 && params == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    out->order = (struct cdp_memory_ops_order){
        .ops = out->ops, .params = params, .params_size = count * sizeof *params};
    for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++) {
        bool is_op;
        struct cdp_memory_op *op = &out->ops[out->order.count];
        result = op_of(&params[i], op, &is_op);
        op->site = site;
        out->order.count += is_op;
    }
    return result;
}

static CUresult submit(CUstream stream, const CUstreamBatchMemOpParams *params, unsigned count,
                       const void *site)
{
    struct cdp_driver_call call;
    struct batch batch;
    CUresult result = cdp_driver_begin(&call);
    result = result != CUDA_SUCCESS ? result : batch_of(params, count, site, &batch);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cdp_memory_ops_submit(stream, &batch.order));
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *params,
                            unsigned int flags)
{
    return flags != 0 ? CUDA_ERROR_INVALID_VALUE : submit(stream, params, count, CALLER);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                             unsigned int flags)
{
    CUstreamBatchMemOpParams params = {.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32,
                                                     .address = address,
                                                     .value = value,
                                                     .flags = flags}};
    return submit(stream, &params, 1, CALLER);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                             unsigned int flags)
{
    CUstreamBatchMemOpParams params = {.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64,
                                                     .address = address,
                                                     .value64 = value,
                                                     .flags = flags}};
    return submit(stream, &params, 1, CALLER);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                              unsigned int flags)
{
    CUstreamBatchMemOpParams params = {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
                                                      .address = address,
                                                      .value = value,
                                                      .flags = flags}};
    return submit(stream, &params, 1, CALLER);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                              unsigned int flags)
{
    CUstreamBatchMemOpParams params = {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64,
                                                      .address = address,
                                                      .value64 = value,
                                                      .flags = flags}};
    return submit(stream, &params, 1, CALLER);
}

/* ---- Nodes of graphs ---- */

/* The start of a call with the parameters of a node. */
static CUresult begin(struct cdp_driver_call *call, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params,
                      const void *site, struct batch *batch)
{
    CUdevice device;
    CUresult result = cdp_driver_begin(call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (params == NULL || params->ctx == NULL || params->flags != 0 || params->paramArray == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return cdp_context_device(params->ctx, &device)
               ? batch_of(params->paramArray, params->count, site, batch)
               : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                                  size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct batch batch;
    CUresult result = begin(&call, params, CALLER, &batch);
    struct cdp_node_order order = {node, graph, deps, count, CALLER};
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cdp_graph_add_memory_ops(&order, &batch.order));
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    const struct cdp_memory_ops *ops;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || params == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cdp_node_memory_ops(node, &ops));
    if (result == CUDA_SUCCESS) {
        *params = (CUDA_BATCH_MEM_OP_NODE_PARAMS){
            .ctx = cdp_context_current(),
            .count = (unsigned)(ops->params_size / sizeof(CUstreamBatchMemOpParams)),
            .paramArray = ops->params};
    }
    return result;
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct batch batch;
    CUresult result = begin(&call, params, CALLER, &batch);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cdp_node_set_memory_ops(node, &batch.order));
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct batch batch;
    CUresult result = begin(&call, params, CALLER, &batch);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cdp_exec_set_memory_ops(exec, node, &batch.order));
}
