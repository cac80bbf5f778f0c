/* The calls that build graphs. */
#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/graph.h"
#include "api/graph_condition.h"
#include "api/graph_updatable.h"
#include "api/graph_memory.h"
#include "api/leak.h"
#include "api/memory_ops.h"
#include "api/runtime.h"
#include "api/symbol.h"
#include "base/alloc.h"
#include "exec/report/profile.h"

/* ---- Graphs ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (graph == NULL || flags != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_graph *made = cdp_graph_new();
    if (made == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    *graph = cdp_graph_handle(made);
    cdp_leak_made(CDP_LEAK_GRAPH, made->handle, __builtin_return_address(0));
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *graph;
    cudaError_t error = cdp_graph_enter(handle, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    if (graph->is_owned || graph->is_captured) {
        return cdp_api_fail(graph->is_owned ? cudaErrorInvalidValue : cudaErrorIllegalState);
    }
    cdp_leak_freed(graph->handle);
    cdp_graph_free(graph);
    return cudaSuccess;
}

/* Of a graph with memory nodes there is one: copies would be further owners of the memory. The same
 * is true of conditions, and of nodes that kernels change. */
static cudaError_t copy(const struct cdp_graph *graph, struct cdp_graph **out)
{
    if (cdp_graph_has_memory(graph) || cdp_graph_has_conditions(graph) ||
        cdp_graph_has_updatables(graph)) {
        return cudaErrorNotSupported;
    }
    *out = cdp_graph_copy(graph);
    return *out != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t handle)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *graph, *made;
    cudaError_t error = cdp_graph_enter(handle, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    error = clone == NULL ? cudaErrorInvalidValue : copy(graph, &made);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    *clone = cdp_graph_handle(made);
    cdp_leak_made(CDP_LEAK_GRAPH, made->handle, __builtin_return_address(0));
    return cudaSuccess;
}

/* ---- New nodes ---- */

/* Where a node is added. */
struct place {
    cudaGraphNode_t *node;
    struct cdp_graph *graph;
    const cudaGraphNode_t *deps;
    size_t dep_count;
};

/* The start of a call that adds a node. */
static cudaError_t begin(struct place *place, cudaGraph_t graph)
{
    cudaError_t error = cdp_graph_enter(graph, &place->graph);
    bool is_bad = place->node == NULL || (place->dep_count > 0 && place->deps == NULL);
    return error == cudaSuccess && is_bad ? cdp_api_fail(cudaErrorInvalidValue) : error;
}

static cudaError_t add_after(const struct place *place, const struct cdp_work *work)
{
    struct cdp_node **deps = cdp_alloc((place->dep_count + 1) * sizeof(struct cdp_node *));
    if (deps == NULL) {
        return cudaErrorMemoryAllocation;
    }
    for (size_t i = 0; i < place->dep_count; i++) {
        deps[i] = cdp_node_find(place->deps[i]);
    }
    struct cdp_node *node;
    cudaError_t error = cdp_graph_add(place->graph, deps, place->dep_count, work, &node);
    cdp_free(deps);
    if (error == cudaSuccess) {
        *place->node = cdp_node_handle(node);
    }
    return error;
}

/* error: that of the steps before; if there is none, what the work owns is taken over. */
static cudaError_t add(const struct place *place, cudaError_t error, struct cdp_work *work)
{
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    error = add_after(place, work);
    if (error != cudaSuccess) {
        cdp_work_free(work);
        return cdp_api_fail(error);
    }
    return cudaSuccess;
}

#define PLACE {.node = node, .deps = deps, .dep_count = dep_count}

static struct place place_of(const struct cdp_node_order *order)
{
    return (struct place){.node = order->node, .deps = order->deps, .dep_count = order->dep_count};
}

cudaError_t cdp_graph_add_kernel(const struct cdp_node_order *order,
                                 const struct cudaKernelNodeParams *params)
{
    struct place place = place_of(order);
    struct cdp_work work;
    cudaError_t error = begin(&place, order->graph);
    error = error != cudaSuccess ? error : cdp_work_of_kernel(params, NULL, order->site, &work);
    return add(&place, error, &work);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaKernelNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node_order order = {node, graph, deps, dep_count, __builtin_return_address(0)};
    return cdp_graph_add_kernel(&order, params);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaMemcpy3DParms *params)
{
    CDP_PROFILE_CALL();
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = begin(&place, graph);
    error = error != cudaSuccess ? error : cdp_work_of_copy(params, &work);
    return add(&place, error, &work);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t dep_count, void *dst,
                                     const void *src, size_t size, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cudaMemcpy3DParms params = cdp_flat_copy_params(dst, src, size, kind);
    return cudaGraphAddMemcpyNode(node, graph, deps, dep_count, &params);
}

/* Copies to and from device variables are copies at their addresses. */
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *deps, size_t dep_count,
                                           const void *symbol, const void *src, size_t size,
                                           size_t offset, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyHostToDevice};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    return error != cudaSuccess
               ? error
               : cudaGraphAddMemcpyNode1D(node, graph, deps, dep_count, address, src, size, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *deps, size_t dep_count,
                                             void *dst, const void *symbol, size_t size,
                                             size_t offset, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyDeviceToHost};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    return error != cudaSuccess
               ? error
               : cudaGraphAddMemcpyNode1D(node, graph, deps, dep_count, dst, address, size, kind);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaMemsetParams *params)
{
    CDP_PROFILE_CALL();
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = begin(&place, graph);
    error = error != cudaSuccess ? error : cdp_work_of_set(params, &work);
    return add(&place, error, &work);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *deps, size_t dep_count,
                                 const struct cudaHostNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = begin(&place, graph);
    error = error != cudaSuccess ? error : cdp_work_of_host(params, &work);
    return add(&place, error, &work);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *deps, size_t dep_count)
{
    CDP_PROFILE_CALL();
    struct place place = PLACE;
    struct cdp_work work = {.type = cudaGraphNodeTypeEmpty};
    return add(&place, begin(&place, graph), &work);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *deps, size_t dep_count,
                                       cudaGraph_t child)
{
    CDP_PROFILE_CALL();
    struct place place = PLACE;
    struct cdp_work work = {.type = cudaGraphNodeTypeGraph};
    struct cdp_graph *found;
    cudaError_t error = begin(&place, graph);
    error = error != cudaSuccess ? error : cdp_graph_enter(child, &found);
    error = error != cudaSuccess ? error : copy(found, &work.child);
    if (error == cudaSuccess) {
        work.child->is_owned = true;
    }
    return add(&place, error, &work);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *deps, size_t dep_count,
                                        cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = begin(&place, graph);
    error = error != cudaSuccess ? error
                                 : cdp_work_of_event(cudaGraphNodeTypeEventRecord, event, &work);
    return add(&place, error, &work);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *deps, size_t dep_count,
                                      cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = begin(&place, graph);
    error =
        error != cudaSuccess ? error : cdp_work_of_event(cudaGraphNodeTypeWaitEvent, event, &work);
    return add(&place, error, &work);
}

cudaError_t cdp_graph_add_memory_ops(const struct cdp_node_order *order,
                                     const struct cdp_memory_ops_order *ops)
{
    struct place place = place_of(order);
    struct cdp_work work;
    cudaError_t error = begin(&place, order->graph);
    error = error != cudaSuccess ? error : cdp_work_of_memory_ops(ops, &work);
    return add(&place, error, &work);
}

/* Child graphs have no memory nodes. */
static cudaError_t begin_memory(struct place *place, cudaGraph_t graph)
{
    cudaError_t error = begin(place, graph);
    return error == cudaSuccess && place->graph->is_owned ? cdp_api_fail(cudaErrorNotSupported)
                                                          : error;
}

cudaError_t cdp_graph_add_alloc(const struct cdp_node_order *order,
                                struct cudaMemAllocNodeParams *params)
{
    struct place place = place_of(order);
    struct cdp_work work;
    cudaError_t error = begin_memory(&place, order->graph);
    if (error != cudaSuccess) {
        return error;
    }
    if (params == NULL || params->poolProps.allocType != cudaMemAllocationTypePinned) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (params->poolProps.handleTypes != cudaMemHandleTypeNone) {
        return cdp_api_fail(cudaErrorNotSupported);
    }
    error = cdp_work_of_alloc(params->bytesize, order->site, &work);
    void *address = error == cudaSuccess ? cdp_graph_memory_address(work.memory) : NULL;
    error = add(&place, error, &work);
    if (error == cudaSuccess) {
        params->dptr = address;
    }
    return error;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t dep_count,
                                     struct cudaMemAllocNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node_order order = {node, graph, deps, dep_count, __builtin_return_address(0)};
    return cdp_graph_add_alloc(&order, params);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *deps, size_t dep_count, void *ptr)
{
    CDP_PROFILE_CALL();
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = begin_memory(&place, graph);
    if (error == cudaSuccess && cdp_graph_frees(place.graph, ptr)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    error = error != cudaSuccess ? error : cdp_work_of_free(ptr, &work);
    return add(&place, error, &work);
}

static cudaError_t add_conditional(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   struct cudaConditionalNodeParams *params)
{
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = begin(&place, graph);
    error = error != cudaSuccess ? error : cdp_work_of_conditional(place.graph, params, &work);
    error = add(&place, error, &work);
    if (error == cudaSuccess) {
        params->phGraph_out = work.conditional->handles;
    }
    return error;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                             size_t dep_count, struct cudaGraphNodeParams *params)
{
    CDP_PROFILE_CALL();
    if (params == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    switch ((int)params->type) {
    case cudaGraphNodeTypeKernel:
        return cudaGraphAddKernelNode(node, graph, deps, dep_count, &params->kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(node, graph, deps, dep_count, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(node, graph, deps, dep_count, &params->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(node, graph, deps, dep_count, &params->host);
    case cudaGraphNodeTypeEmpty:
        return cudaGraphAddEmptyNode(node, graph, deps, dep_count);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(node, graph, deps, dep_count, params->graph.graph);
    case cudaGraphNodeTypeEventRecord:
        return cudaGraphAddEventRecordNode(node, graph, deps, dep_count, params->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
        return cudaGraphAddEventWaitNode(node, graph, deps, dep_count, params->eventWait.event);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(node, graph, deps, dep_count, &params->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(node, graph, deps, dep_count, params->free.dptr);
    case cudaGraphNodeTypeConditional:
        return add_conditional(node, graph, deps, dep_count, &params->conditional);
    default:
        return cdp_api_fail(cudaErrorNotSupported);
    }
}

/* With data of the edges to the new node. */
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *deps, const cudaGraphEdgeData *edges,
                                size_t dep_count, struct cudaGraphNodeParams *params)
{
    CDP_PROFILE_CALL();
    cudaError_t error = params == NULL ? cudaErrorInvalidValue
                                       : cdp_edges_check(edges, deps, dep_count, params->type);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    error = cudaGraphAddNode(node, graph, deps, dep_count, params);
    if (error == cudaSuccess) {
        cdp_edges_set(*node, edges, dep_count);
    }
    return error;
}

/* Nodes of other kinds have no parameters that can be set. */
static cudaError_t refuse_kind(cudaGraphNode_t handle, enum cudaGraphNodeType type)
{
    struct cdp_node *node;
    cudaError_t error = cdp_node_enter(handle, &node);
    if (error != cudaSuccess) {
        return error;
    }
    return cdp_api_fail(node->work.type == type ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params)
{
    CDP_PROFILE_CALL();
    if (params == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    switch ((int)params->type) {
    case cudaGraphNodeTypeKernel:
        return cudaGraphKernelNodeSetParams(node, &params->kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphMemsetNodeSetParams(node, &params->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphHostNodeSetParams(node, &params->host);
    case cudaGraphNodeTypeEventRecord:
        return cudaGraphEventRecordNodeSetEvent(node, params->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
        return cudaGraphEventWaitNodeSetEvent(node, params->eventWait.event);
    default:
        return refuse_kind(node, params->type);
    }
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *params)
{
    CDP_PROFILE_CALL();
    if (params == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    switch ((int)params->type) {
    case cudaGraphNodeTypeKernel:
        return cudaGraphExecKernelNodeSetParams(exec, node, &params->kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphExecMemcpyNodeSetParams(exec, node, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphExecMemsetNodeSetParams(exec, node, &params->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphExecHostNodeSetParams(exec, node, &params->host);
    case cudaGraphNodeTypeGraph:
        return cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
    case cudaGraphNodeTypeEventRecord:
        return cudaGraphExecEventRecordNodeSetEvent(exec, node, params->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
        return cudaGraphExecEventWaitNodeSetEvent(exec, node, params->eventWait.event);
    default:
        return refuse_kind(node, params->type);
    }
}

/* ---- Changes ---- */

/* Dependencies that a call adds or removes. */
struct change {
    const cudaGraphNode_t *from, *to;
    const cudaGraphEdgeData *edges; /* NULL: ordinary */
    size_t count;
};

static cudaError_t remove_all(const struct cdp_graph *graph, const struct change *change)
{
    if (cdp_graph_has_memory(graph)) { /* as cudaGraphDestroyNode */
        return cudaErrorNotSupported;
    }
    for (size_t i = 0; i < change->count; i++) {
        const struct cdp_node *first = cdp_node_find(change->from[i]);
        struct cdp_node *second = cdp_node_find(change->to[i]);
        if (first == NULL || second == NULL || second->graph != graph ||
            !cdp_node_depends_on(second, first)) {
            return cudaErrorInvalidValue;
        }
        cdp_node_remove_dependency(second, first);
    }
    return cudaSuccess;
}

/* All, or none. */
static cudaError_t add_all(const struct cdp_graph *graph, const struct change *change)
{
    cudaError_t error = cudaSuccess;
    size_t i;
    for (i = 0; i < change->count && error == cudaSuccess; i++) {
        struct cdp_node *second = cdp_node_find(change->to[i]);
        const cudaGraphEdgeData *edge = change->edges != NULL ? &change->edges[i] : NULL;
        error = second != NULL && second->graph == graph
                    ? cdp_node_add_dependency(second, cdp_node_find(change->from[i]), edge)
                    : cudaErrorInvalidValue;
    }
    for (i = error != cudaSuccess ? i - 1 : 0; i > 0; i--) {
        cdp_node_remove_dependency(cdp_node_find(change->to[i - 1]),
                                   cdp_node_find(change->from[i - 1]));
    }
    return error;
}

static cudaError_t apply(cudaGraph_t handle, const struct change *change,
                         cudaError_t (*to)(const struct cdp_graph *, const struct change *))
{
    struct cdp_graph *graph;
    cudaError_t error = cdp_graph_enter(handle, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    if (change->count > 0 && (change->from == NULL || change->to == NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    error = to(graph, change);
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t count)
{
    CDP_PROFILE_CALL();
    struct change change = {.from = from, .to = to, .edges = edges, .count = count};
    return apply(graph, &change, add_all);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    CDP_PROFILE_CALL();
    return cudaGraphAddDependencies_v2(graph, from, to, NULL, count);
}

/* The data of the edges does not matter: a node depends on another one once. */
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edges, size_t count)
{
    CDP_PROFILE_CALL();
    struct change change = {.from = from, .to = to, .edges = edges, .count = count};
    return apply(graph, &change, remove_all);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count)
{
    CDP_PROFILE_CALL();
    return cudaGraphRemoveDependencies_v2(graph, from, to, NULL, count);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    cudaError_t error = cdp_node_enter(handle, &node);
    if (error != cudaSuccess) {
        return error;
    }
    bool is_updatable =
        node->work.type == cudaGraphNodeTypeKernel && node->work.launch.updatable != NULL;
    if (cdp_graph_has_memory(node->graph) || is_updatable) {
        return cdp_api_fail(cudaErrorNotSupported);
    }
    if (node->graph->is_captured) { /* captured streams refer to its nodes */
        return cdp_api_fail(cudaErrorIllegalState);
    }
    cdp_node_remove(node);
    return cudaSuccess;
}
