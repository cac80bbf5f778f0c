/* The calls that read graphs, and those that change the parameters of nodes. */
#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/library_work.h"
#include "api/memory_ops.h"
#include "api/register.h"
#include "api/graph.h"
#include "api/graph_memory.h"
#include "api/handle.h"
#include "api/symbol.h"
#include "exec/report/profile.h"

/* The start of a call that reads a graph or a node. out: where the result goes, for which NULL is
 * cudaErrorInvalidValue. */
static cudaError_t read_graph(cudaGraph_t handle, const void *out, struct cdp_graph **graph)
{
    cudaError_t error = cdp_graph_enter(handle, graph);
    return error == cudaSuccess && out == NULL ? cdp_api_fail(cudaErrorInvalidValue) : error;
}

static cudaError_t read_node(cudaGraphNode_t handle, const void *out, struct cdp_node **node)
{
    cudaError_t error = cdp_node_enter(handle, node);
    return error == cudaSuccess && out == NULL ? cdp_api_fail(cudaErrorInvalidValue) : error;
}

/* The same for a node that must be of the type. */
static cudaError_t find_typed(cudaGraphNode_t handle, enum cudaGraphNodeType type,
                              struct cdp_node **node)
{
    cudaError_t error = cdp_node_enter(handle, node);
    return error == cudaSuccess && (*node)->work.type != type ? cdp_api_fail(cudaErrorInvalidValue)
                                                              : error;
}

static cudaError_t read_typed(cudaGraphNode_t handle, enum cudaGraphNodeType type, const void *out,
                              struct cdp_node **node)
{
    cudaError_t error = find_typed(handle, type, node);
    return error == cudaSuccess && out == NULL ? cdp_api_fail(cudaErrorInvalidValue) : error;
}

/* ---- Queries ----
 *
 * As CUDA does it: without an array the number is returned; with one, its size is *count, entries
 * without a node are NULL, and *count becomes the number of nodes. */

struct nodes_out {
    cudaGraphNode_t *nodes;
    cudaGraphEdgeData *edges; /* of the dependencies on them; may be NULL */
    size_t room, found;
    bool is_lossy; /* an edge is no ordinary one, and is not returned */
};

static void put(struct nodes_out *out, const struct cdp_node *node)
{
    if (out->nodes != NULL && out->found < out->room) {
        out->nodes[out->found] = cdp_node_handle(node);
    }
    out->found++;
}

static void put_edge(struct nodes_out *out, const struct cdp_node *node,
                     const cudaGraphEdgeData *edge)
{
    if (out->edges != NULL && out->found < out->room) {
        out->edges[out->found] = *edge;
    }
    out->is_lossy =
        out->is_lossy || (out->nodes != NULL && out->edges == NULL && !cdp_edge_is_ordinary(edge));
    put(out, node);
}

static void finish(struct nodes_out *out, size_t *count)
{
    for (size_t i = out->found; out->nodes != NULL && i < out->room; i++) {
        out->nodes[i] = NULL;
    }
    *count = out->nodes != NULL && out->found > out->room ? out->room : out->found;
}

static cudaError_t list_nodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count,
                              bool only_roots)
{
    struct cdp_graph *graph;
    cudaError_t error = read_graph(handle, count, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    struct nodes_out out = {.nodes = nodes, .room = *count};
    for (size_t i = 0; i < graph->count; i++) {
        if (!only_roots || graph->nodes[i]->dep_count == 0) {
            put(&out, graph->nodes[i]);
        }
    }
    finish(&out, count);
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    CDP_PROFILE_CALL();
    return list_nodes(graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    CDP_PROFILE_CALL();
    return list_nodes(graph, nodes, count, true);
}

static cudaError_t finish_edges(struct nodes_out *out, size_t *count)
{
    finish(out, count);
    return out->is_lossy ? cdp_api_fail(cudaErrorLossyQuery) : cudaSuccess;
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edges, size_t *count)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *graph;
    cudaError_t error = read_graph(handle, count, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    if ((from == NULL) != (to == NULL) || (from == NULL && edges != NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct nodes_out first = {.nodes = from, .edges = edges, .room = *count};
    struct nodes_out second = {.nodes = to, .room = *count};
    for (size_t i = 0; i < graph->count; i++) {
        const struct cdp_node *node = graph->nodes[i];
        for (size_t k = 0; k < node->dep_count; k++) {
            put_edge(&first, node->deps[k], &node->edges[k]);
            put(&second, node);
        }
    }
    finish(&second, count);
    return finish_edges(&first, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *count)
{
    CDP_PROFILE_CALL();
    return cudaGraphGetEdges_v2(graph, from, to, NULL, count);
}

/* The nodes that come before a node, or after it. */
static cudaError_t list_neighbours(cudaGraphNode_t handle, struct nodes_out *out, size_t *count,
                                   bool before)
{
    struct cdp_node *node;
    cudaError_t error = read_node(handle, count, &node);
    if (error != cudaSuccess) {
        return error;
    }
    if (out->nodes == NULL && out->edges != NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    out->room = *count;
    for (size_t i = 0; i < node->dep_count && before; i++) {
        put_edge(out, node->deps[i], &node->edges[i]);
    }
    for (size_t i = 0; i < node->graph->count && !before; i++) {
        const struct cdp_node *other = node->graph->nodes[i];
        for (size_t k = 0; k < other->dep_count; k++) {
            if (other->deps[k] == node) {
                put_edge(out, other, &other->edges[k]);
            }
        }
    }
    return finish_edges(out, count);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *deps,
                                            cudaGraphEdgeData *edges, size_t *count)
{
    CDP_PROFILE_CALL();
    struct nodes_out out = {.nodes = deps, .edges = edges};
    return list_neighbours(node, &out, count, true);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *deps, size_t *count)
{
    CDP_PROFILE_CALL();
    return cudaGraphNodeGetDependencies_v2(node, deps, NULL, count);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                              cudaGraphEdgeData *edges, size_t *count)
{
    CDP_PROFILE_CALL();
    struct nodes_out out = {.nodes = nodes, .edges = edges};
    return list_neighbours(node, &out, count, false);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           size_t *count)
{
    CDP_PROFILE_CALL();
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, NULL, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    cudaError_t error = read_node(handle, type, &node);
    if (error == cudaSuccess) {
        *type = node->work.type == CDP_NODE_LIBRARY ? cudaGraphNodeTypeKernel : node->work.type;
    }
    return error;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t *graph)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    cudaError_t error = read_typed(handle, cudaGraphNodeTypeGraph, graph, &node);
    if (error == cudaSuccess) {
        *graph = cdp_graph_handle(node->work.child);
    }
    return error;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original,
                                     cudaGraph_t clone)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *graph;
    cudaError_t error = read_graph(clone, found, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->nodes[i]->origin == (uintptr_t)(void *)original) {
            *found = cdp_node_handle(graph->nodes[i]);
            return cudaSuccess;
        }
    }
    return cdp_api_fail(cudaErrorInvalidValue);
}

/* ---- Parameters of nodes ---- */

static void describe_kernel(const struct cdp_node *node, struct cudaKernelNodeParams *params)
{
    const struct cdp_work_launch *launch = &node->work.launch;
    const uint32_t *grid = launch->order.grid_dim, *block = launch->order.block_dim;
    *params = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)launch->func,
        .gridDim = {grid[0], grid[1], grid[2]},
        .blockDim = {block[0], block[1], block[2]},
        .sharedMemBytes = launch->order.dynamic_shared,
        .kernelParams = launch->args,
    };
}

cudaError_t cdp_node_kernel(cudaGraphNode_t handle, struct cudaKernelNodeParams *params)
{
    struct cdp_node *node;
    cudaError_t error = read_node(handle, params, &node);
    if (error == cudaSuccess && node->work.type == CDP_NODE_LIBRARY) {
        return cdp_api_fail(cudaErrorInvalidDeviceFunction);
    }
    error =
        error != cudaSuccess ? error : read_typed(handle, cudaGraphNodeTypeKernel, params, &node);
    if (error == cudaSuccess) {
        describe_kernel(node, params);
    }
    return error;
}

/* The runtime API of a GPU knows no functions that the driver API has loaded. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle,
                                         struct cudaKernelNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cudaKernelNodeParams found;
    cudaError_t error = cdp_node_kernel(handle, params != NULL ? &found : NULL);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_abi_kernel *kernel = cdp_registry_find_kernel(found.func);
    if (found.func == kernel && (kernel->flags & CDP_KERNEL_FFI) == 0) { /* a CUfunction */
        found.func = (void *)(uintptr_t)cdp_registry_stub(kernel);
    }
    if (found.func == NULL) {
        return cdp_api_fail(cudaErrorInvalidDeviceFunction);
    }
    *params = found;
    return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, struct cudaMemcpy3DParms *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    cudaError_t error = read_typed(handle, cudaGraphNodeTypeMemcpy, params, &node);
    if (error == cudaSuccess) {
        *params = node->work.transfer.params.copy;
    }
    return error;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, struct cudaMemsetParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    cudaError_t error = read_typed(handle, cudaGraphNodeTypeMemset, params, &node);
    if (error == cudaSuccess) {
        *params = node->work.transfer.params.set;
    }
    return error;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, struct cudaHostNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    cudaError_t error = read_typed(handle, cudaGraphNodeTypeHost, params, &node);
    if (error == cudaSuccess) {
        *params = node->work.host;
    }
    return error;
}

cudaError_t cdp_node_memory_ops(cudaGraphNode_t handle, const struct cdp_memory_ops **out)
{
    struct cdp_node *node;
    cudaError_t error = read_typed(handle, CDP_NODE_MEMORY_OPS, out, &node);
    if (error == cudaSuccess) {
        *out = node->work.memory_ops;
    }
    return error;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle,
                                           struct cudaMemAllocNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    cudaError_t error = read_typed(handle, cudaGraphNodeTypeMemAlloc, params, &node);
    if (error == cudaSuccess) {
        *params = (struct cudaMemAllocNodeParams){
            .poolProps = {.allocType = cudaMemAllocationTypePinned,
                          .location = {.type = cudaMemLocationTypeDevice, .id = 0}},
            .bytesize = cdp_graph_memory_size(node->work.memory),
            .dptr = cdp_graph_memory_address(node->work.memory),
        };
    }
    return error;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void *dptr_out)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    cudaError_t error = read_typed(handle, cudaGraphNodeTypeMemFree, dptr_out, &node);
    if (error != cudaSuccess) {
        return error;
    }
    *(void **)dptr_out = cdp_graph_memory_address(node->work.memory);
    return cudaSuccess;
}

static cudaError_t get_event(cudaGraphNode_t handle, enum cudaGraphNodeType type,
                             cudaEvent_t *event)
{
    struct cdp_node *node;
    cudaError_t error = read_typed(handle, type, event, &node);
    if (error == cudaSuccess) {
        *event = cdp_event_of_handle(node->work.event);
    }
    return error;
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    CDP_PROFILE_CALL();
    return get_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    CDP_PROFILE_CALL();
    return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}

/* error: that of the steps before; if there is none, what the work owns is taken over. */
static cudaError_t set_work(struct cdp_node *node, cudaError_t error, struct cdp_work *work)
{
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    cdp_node_set_work(node, work);
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle,
                                         const struct cudaKernelNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    struct cdp_work work;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeKernel, &node);
    error = error != cudaSuccess ? error : cdp_work_of_kernel(params, &node->work, NULL, &work);
    return set_work(node, error, &work);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle,
                                         const struct cudaMemcpy3DParms *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    struct cdp_work work;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeMemcpy, &node);
    error = error != cudaSuccess ? error : cdp_work_of_copy(params, &work);
    return set_work(node, error, &work);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                           size_t size, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cudaMemcpy3DParms params = cdp_flat_copy_params(dst, src, size, kind);
    return cudaGraphMemcpyNodeSetParams(node, &params);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                 const void *src, size_t size, size_t offset,
                                                 enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyHostToDevice};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    return error != cudaSuccess ? error
                                : cudaGraphMemcpyNodeSetParams1D(node, address, src, size, kind);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                   const void *symbol, size_t size, size_t offset,
                                                   enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyDeviceToHost};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    return error != cudaSuccess ? error
                                : cudaGraphMemcpyNodeSetParams1D(node, dst, address, size, kind);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle,
                                         const struct cudaMemsetParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    struct cdp_work work;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeMemset, &node);
    error = error != cudaSuccess ? error : cdp_work_of_set(params, &work);
    return set_work(node, error, &work);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t handle,
                                       const struct cudaHostNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *node;
    struct cdp_work work;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeHost, &node);
    error = error != cudaSuccess ? error : cdp_work_of_host(params, &work);
    return set_work(node, error, &work);
}

cudaError_t cdp_node_set_memory_ops(cudaGraphNode_t handle, const struct cdp_memory_ops_order *ops)
{
    struct cdp_node *node;
    struct cdp_work work;
    cudaError_t error = find_typed(handle, CDP_NODE_MEMORY_OPS, &node);
    error = error != cudaSuccess ? error : cdp_work_of_memory_ops(ops, &work);
    return set_work(node, error, &work);
}

static cudaError_t set_event(cudaGraphNode_t handle, enum cudaGraphNodeType type, cudaEvent_t event)
{
    struct cdp_node *node;
    struct cdp_work work;
    cudaError_t error = find_typed(handle, type, &node);
    error = error != cudaSuccess ? error : cdp_work_of_event(type, event, &work);
    return set_work(node, error, &work);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    return set_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    return set_event(node, cudaGraphNodeTypeWaitEvent, event);
}
