/* Nodes of graphs of the driver API: those of the runtime API, with other descriptions of what they
 * do. The context of a node decides nothing: the contexts of a device share its memory, and a
 * node's memory is in its parameters. */
#include "cuda_runtime_api.h"

#include "api/driver/array.h"
#include "api/driver/driver.h"
#include "api/graph.h"
#include "api/register.h"
#include "base/alloc.h"

#define CALLER __builtin_return_address(0)

/* The start of a call with the parameters of a node. */
static CUresult begin(struct cdp_driver_call *call, const void *params)
{
    CUresult result = cdp_driver_begin(call);
    return result == CUDA_SUCCESS && params == NULL ? CUDA_ERROR_INVALID_VALUE : result;
}

/* The same, of a node in a context. */
static CUresult begin_in(struct cdp_driver_call *call, const void *params, CUcontext context)
{
    CUdevice device;
    CUresult result = begin(call, params);
    bool is_bad = result == CUDA_SUCCESS && !cdp_context_device(context, &device);
    return is_bad ? CUDA_ERROR_INVALID_CONTEXT : result;
}

/* ---- Kernels ---- */

/* The parameters in the terms of the runtime API. The caller frees *owned, which may be NULL. */
static CUresult kernel_of(const CUDA_KERNEL_NODE_PARAMS *params, struct cudaKernelNodeParams *out,
                          void ***owned)
{
    const void *func =
        params->func != NULL ? (const void *)params->func : (const void *)params->kern;
    const struct cdp_abi_kernel *kernel = cdp_registry_find_kernel(func);
    *owned = NULL;
    if (kernel == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    *out = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)func,
        .gridDim = {params->gridDimX, params->gridDimY, params->gridDimZ},
        .blockDim = {params->blockDimX, params->blockDimY, params->blockDimZ},
        .sharedMemBytes = params->sharedMemBytes,
        .kernelParams = params->kernelParams};
    if (params->extra == NULL) {
        return CUDA_SUCCESS;
    }
    if (params->kernelParams != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = cdp_driver_args_of_buffer(kernel, params->extra, owned);
    out->kernelParams = *owned;
    return result;
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct cudaKernelNodeParams launch;
    void **owned = NULL;
    CUresult result = begin(&call, params);
    result = result != CUDA_SUCCESS ? result : kernel_of(params, &launch, &owned);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cdp_node_order order = {node, graph, deps, count, CALLER};
    result = cdp_driver_end(&call, cdp_graph_add_kernel(&order, &launch));
    cdp_free(owned);
    return result;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct cudaKernelNodeParams launch;
    void **owned = NULL;
    CUresult result = begin(&call, params);
    result = result != CUDA_SUCCESS ? result : kernel_of(params, &launch, &owned);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphKernelNodeSetParams(node, &launch));
    cdp_free(owned);
    return result;
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct cudaKernelNodeParams launch;
    void **owned = NULL;
    CUresult result = begin(&call, params);
    result = result != CUDA_SUCCESS ? result : kernel_of(params, &launch, &owned);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphExecKernelNodeSetParams(exec, node, &launch));
    cdp_free(owned);
    return result;
}

/* Also of a node that was captured from a launch of the runtime API. */
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct cudaKernelNodeParams found;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cdp_node_kernel(node, &found));
    if (result == CUDA_SUCCESS) {
        *params = (CUDA_KERNEL_NODE_PARAMS){
            .func = (CUfunction)(void *)(uintptr_t)cdp_registry_find_kernel(found.func),
            .gridDimX = found.gridDim.x,
            .gridDimY = found.gridDim.y,
            .gridDimZ = found.gridDim.z,
            .blockDimX = found.blockDim.x,
            .blockDimY = found.blockDim.y,
            .blockDimZ = found.blockDim.z,
            .sharedMemBytes = found.sharedMemBytes,
            .kernelParams = found.kernelParams,
            .kern = (CUkernel)(void *)(uintptr_t)cdp_registry_find_kernel(found.func),
            .ctx = cdp_context_current()};
    }
    return result;
}

/* ---- Copies ---- */

/* The start of a call with a copy, which it gives in the terms of the runtime API. */
static CUresult begin_copy(struct cdp_driver_call *call, const CUDA_MEMCPY3D *copy,
                           CUcontext context, struct cudaMemcpy3DParms *params)
{
    CUresult result = begin_in(call, copy, context);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    bool is_empty = copy->WidthInBytes == 0 || copy->Height == 0 || copy->Depth == 0;
    result = is_empty ? CUDA_ERROR_INVALID_VALUE : cdp_copy_params_of(copy, params);
    (void)cdp_driver_end(call, cudaSuccess);
    return result;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                              size_t count, const CUDA_MEMCPY3D *copy, CUcontext context)
{
    struct cdp_driver_call call;
    struct cudaMemcpy3DParms params;
    CUresult result = begin_copy(&call, copy, context, &params);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaGraphAddMemcpyNode(node, graph, deps, count, &params));
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy)
{
    struct cdp_driver_call call;
    struct cudaMemcpy3DParms params;
    CUresult result = begin_copy(&call, copy, NULL, &params);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaGraphMemcpyNodeSetParams(node, &params));
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *copy, CUcontext context)
{
    struct cdp_driver_call call;
    struct cudaMemcpy3DParms params;
    CUresult result = begin_copy(&call, copy, context, &params);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaGraphExecMemcpyNodeSetParams(exec, node, &params));
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy)
{
    struct cdp_driver_call call;
    struct cudaMemcpy3DParms found;
    CUresult result = begin(&call, copy);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &found);
    if (error == cudaSuccess) {
        *copy = cdp_cu_copy_of(&found);
    }
    return cdp_driver_end(&call, error);
}

/* ---- Fills ---- */

static struct cudaMemsetParams fill_of(const CUDA_MEMSET_NODE_PARAMS *params)
{
    return (struct cudaMemsetParams){.dst = cdp_address_of(params->dst),
                                     .pitch = params->pitch,
                                     .value = params->value,
                                     .elementSize = params->elementSize,
                                     .width = params->width,
                                     .height = params->height};
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS *params,
                              CUcontext context)
{
    struct cdp_driver_call call;
    CUresult result = begin_in(&call, params, context);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaMemsetParams fill = fill_of(params);
    return cdp_driver_end(&call, cudaGraphAddMemsetNode(node, graph, deps, count, &fill));
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaMemsetParams fill = fill_of(params);
    return cdp_driver_end(&call, cudaGraphMemsetNodeSetParams(node, &fill));
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    struct cdp_driver_call call;
    CUresult result = begin_in(&call, params, context);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaMemsetParams fill = fill_of(params);
    return cdp_driver_end(&call, cudaGraphExecMemsetNodeSetParams(exec, node, &fill));
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct cudaMemsetParams found;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphMemsetNodeGetParams(node, &found));
    if (result == CUDA_SUCCESS) {
        *params = (CUDA_MEMSET_NODE_PARAMS){.dst = (uintptr_t)found.dst,
                                            .pitch = found.pitch,
                                            .value = found.value,
                                            .elementSize = found.elementSize,
                                            .width = found.width,
                                            .height = found.height};
    }
    return result;
}

/* ---- Host functions ---- */

static struct cudaHostNodeParams host_of(const CUDA_HOST_NODE_PARAMS *params)
{
    return (struct cudaHostNodeParams){.fn = params->fn, .userData = params->userData};
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t count,
                            const CUDA_HOST_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaHostNodeParams host = host_of(params);
    return cdp_driver_end(&call, cudaGraphAddHostNode(node, graph, deps, count, &host));
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaHostNodeParams host = host_of(params);
    return cdp_driver_end(&call, cudaGraphHostNodeSetParams(node, &host));
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaHostNodeParams host = host_of(params);
    return cdp_driver_end(&call, cudaGraphExecHostNodeSetParams(exec, node, &host));
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct cudaHostNodeParams found;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphHostNodeGetParams(node, &found));
    if (result == CUDA_SUCCESS) {
        *params = (CUDA_HOST_NODE_PARAMS){.fn = found.fn, .userData = found.userData};
    }
    return result;
}

/* ---- Empty nodes, child graphs, events ---- */

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                             size_t count)
{
    CDP_DRIVER_CALL(cudaGraphAddEmptyNode(node, graph, deps, count));
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                                  size_t count, CUgraph child)
{
    CDP_DRIVER_CALL(cudaGraphAddChildGraphNode(node, graph, deps, count, child));
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
    CDP_DRIVER_CALL(cudaGraphChildGraphNodeGetGraph(node, graph));
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
    CDP_DRIVER_CALL(cudaGraphExecChildGraphNodeSetParams(exec, node, child));
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                                   size_t count, CUevent event)
{
    CDP_DRIVER_CALL(event == NULL ? cudaErrorInvalidValue
                                  : cudaGraphAddEventRecordNode(node, graph, deps, count, event));
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event)
{
    CDP_DRIVER_CALL(cudaGraphEventRecordNodeGetEvent(node, event));
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event)
{
    CDP_DRIVER_CALL(cudaGraphEventRecordNodeSetEvent(node, event));
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    CDP_DRIVER_CALL(cudaGraphExecEventRecordNodeSetEvent(exec, node, event));
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                                 size_t count, CUevent event)
{
    CDP_DRIVER_CALL(event == NULL ? cudaErrorInvalidValue
                                  : cudaGraphAddEventWaitNode(node, graph, deps, count, event));
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event)
{
    CDP_DRIVER_CALL(cudaGraphEventWaitNodeGetEvent(node, event));
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event)
{
    CDP_DRIVER_CALL(cudaGraphEventWaitNodeSetEvent(node, event));
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    CDP_DRIVER_CALL(cudaGraphExecEventWaitNodeSetEvent(exec, node, event));
}

/* ---- Memory ---- */

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaMemAllocNodeParams ask = {
        .poolProps = {.allocType = (enum cudaMemAllocationType)params->poolProps.allocType,
                      .location = {.type = cudaMemLocationTypeDevice,
                                   .id = params->poolProps.location.id}},
        .bytesize = params->bytesize};
    struct cdp_node_order order = {node, graph, deps, count, CALLER};
    result = cdp_driver_end(&call, cdp_graph_add_alloc(&order, &ask));
    if (result == CUDA_SUCCESS) {
        params->dptr = (uintptr_t)ask.dptr;
    }
    return result;
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    struct cudaMemAllocNodeParams found;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphMemAllocNodeGetParams(node, &found));
    if (result == CUDA_SUCCESS) {
        *params = (CUDA_MEM_ALLOC_NODE_PARAMS){
            .poolProps = {.allocType = (CUmemAllocationType)found.poolProps.allocType,
                          .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE,
                                       .id = found.poolProps.location.id}},
            .bytesize = found.bytesize,
            .dptr = (uintptr_t)found.dptr};
    }
    return result;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                               size_t count, CUdeviceptr ptr)
{
    CDP_DRIVER_CALL(cudaGraphAddMemFreeNode(node, graph, deps, count, cdp_address_of(ptr)));
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *ptr)
{
    struct cdp_driver_call call;
    void *address = NULL;
    CUresult result = begin(&call, ptr);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphMemFreeNodeGetParams(node, (void *)&address));
    if (result == CUDA_SUCCESS) {
        *ptr = (uintptr_t)address;
    }
    return result;
}

/* ---- Conditional nodes ---- */

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                        CUcontext context, unsigned int initial, unsigned int flags)
{
    struct cdp_driver_call call;
    cudaGraphConditionalHandle made = 0;
    CUresult result = begin_in(&call, handle, context);
    if (result == CUDA_SUCCESS) {
        result =
            cdp_driver_end(&call, cudaGraphConditionalHandleCreate(&made, graph, initial, flags));
    }
    if (result == CUDA_SUCCESS) {
        *handle = made;
    }
    return result;
}

static CUresult add_conditional(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                                size_t count, CUDA_CONDITIONAL_NODE_PARAMS *params)
{
    struct cdp_driver_call call;
    CUresult result = begin_in(&call, params, params->ctx);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaGraphNodeParams ask = {
        .type = cudaGraphNodeTypeConditional,
        .conditional = {.handle = params->handle,
                        .type = (enum cudaGraphConditionalNodeType)params->type,
                        .size = params->size}};
    result = cdp_driver_end(&call, cudaGraphAddNode(node, graph, deps, count, &ask));
    if (result == CUDA_SUCCESS) {
        params->phGraph_out = ask.conditional.phGraph_out;
    }
    return result;
}

/* ---- All kinds ---- */

/* A fill without its context. */
static CUDA_MEMSET_NODE_PARAMS plain_fill(const CUDA_MEMSET_NODE_PARAMS_v2 *params)
{
    return (CUDA_MEMSET_NODE_PARAMS){.dst = params->dst,
                                     .pitch = params->pitch,
                                     .value = params->value,
                                     .elementSize = params->elementSize,
                                     .width = params->width,
                                     .height = params->height};
}

static CUresult add_fill(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t count,
                         const CUDA_MEMSET_NODE_PARAMS_v2 *params)
{
    CUDA_MEMSET_NODE_PARAMS fill = plain_fill(params);
    return cuGraphAddMemsetNode(node, graph, deps, count, &fill, params->ctx);
}

static CUDA_BATCH_MEM_OP_NODE_PARAMS plain_ops(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *params)
{
    return (CUDA_BATCH_MEM_OP_NODE_PARAMS){.ctx = params->ctx,
                                           .count = params->count,
                                           .paramArray = params->paramArray,
                                           .flags = params->flags};
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps, size_t count,
                        CUgraphNodeParams *params)
{
    struct cdp_driver_call call;
    CUDA_BATCH_MEM_OP_NODE_PARAMS ops;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    switch ((int)params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return cuGraphAddKernelNode(node, graph, deps, count, &params->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return cuGraphAddMemcpyNode(node, graph, deps, count, &params->memcpy.copyParams,
                                    params->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return add_fill(node, graph, deps, count, &params->memset);
    case CU_GRAPH_NODE_TYPE_HOST:
        return cuGraphAddHostNode(node, graph, deps, count, &params->host);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return cuGraphAddChildGraphNode(node, graph, deps, count, params->graph.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return cuGraphAddEmptyNode(node, graph, deps, count);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return cuGraphAddEventWaitNode(node, graph, deps, count, params->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return cuGraphAddEventRecordNode(node, graph, deps, count, params->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return cuGraphAddMemAllocNode(node, graph, deps, count, &params->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return cuGraphAddMemFreeNode(node, graph, deps, count, params->free.dptr);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return add_conditional(node, graph, deps, count, &params->conditional);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        ops = plain_ops(&params->memOp);
        return cuGraphAddBatchMemOpNode(node, graph, deps, count, &ops);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *deps,
                           const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params)
{
    struct cdp_driver_call call;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_result(cdp_edges_check(cdp_driver_edges(edges), deps, count,
                                               (enum cudaGraphNodeType)params->type));
    result = result != CUDA_SUCCESS ? result : cuGraphAddNode(node, graph, deps, count, params);
    if (result == CUDA_SUCCESS) {
        cdp_edges_set(*node, cdp_driver_edges(edges), count);
    }
    return result;
}

/* Nodes of other kinds have no parameters that can be set. */
static CUresult refuse_kind(CUgraphNode node, CUgraphNodeType type)
{
    CUgraphNodeType own;
    CUresult result = cuGraphNodeGetType(node, &own);
    return result != CUDA_SUCCESS ? result
           : own == type          ? CUDA_ERROR_NOT_SUPPORTED
                                  : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params)
{
    struct cdp_driver_call call;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_BATCH_MEM_OP_NODE_PARAMS ops;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    switch ((int)params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return cuGraphKernelNodeSetParams(node, &params->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return cuGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        fill = plain_fill(&params->memset);
        return cuGraphMemsetNodeSetParams(node, &fill);
    case CU_GRAPH_NODE_TYPE_HOST:
        return cuGraphHostNodeSetParams(node, &params->host);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return cuGraphEventRecordNodeSetEvent(node, params->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return cuGraphEventWaitNodeSetEvent(node, params->eventWait.event);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        ops = plain_ops(&params->memOp);
        return cuGraphBatchMemOpNodeSetParams(node, &ops);
    default:
        return refuse_kind(node, params->type);
    }
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params)
{
    struct cdp_driver_call call;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_BATCH_MEM_OP_NODE_PARAMS ops;
    CUresult result = begin(&call, params);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    switch ((int)params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return cuGraphExecKernelNodeSetParams(exec, node, &params->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return cuGraphExecMemcpyNodeSetParams(exec, node, &params->memcpy.copyParams,
                                              params->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        fill = plain_fill(&params->memset);
        return cuGraphExecMemsetNodeSetParams(exec, node, &fill, params->memset.ctx);
    case CU_GRAPH_NODE_TYPE_HOST:
        return cuGraphExecHostNodeSetParams(exec, node, &params->host);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return cuGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return cuGraphExecEventRecordNodeSetEvent(exec, node, params->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return cuGraphExecEventWaitNodeSetEvent(exec, node, params->eventWait.event);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        ops = plain_ops(&params->memOp);
        return cuGraphExecBatchMemOpNodeSetParams(exec, node, &ops);
    default:
        return refuse_kind(node, params->type);
    }
}

/* ---- Attributes of kernel nodes ---- */

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attr,
                                       const CUkernelNodeAttrValue *value)
{
    CDP_DRIVER_CALL(cudaGraphKernelNodeSetAttribute(
        node, (cudaLaunchAttributeID)attr, (const cudaLaunchAttributeValue *)(const void *)value));
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attr,
                                       CUkernelNodeAttrValue *value)
{
    CDP_DRIVER_CALL(cudaGraphKernelNodeGetAttribute(node, (cudaLaunchAttributeID)attr,
                                                    (cudaLaunchAttributeValue *)(void *)value));
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
    CDP_DRIVER_CALL(cudaGraphKernelNodeCopyAttributes(to, from));
}
