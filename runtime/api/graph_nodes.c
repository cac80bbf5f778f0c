/* The calls that build graphs and read them. */
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/graph.h"
#include "api/graph_memory.h"
#include "api/handle.h"
#include "api/leak.h"
#include "api/runtime.h"
#include "base/alloc.h"

/* ---- Graphs ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
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

/* The graph of a handle; NULL after storing an error. */
static cudaError_t find(cudaGraph_t handle, struct cdp_graph **graph)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    *graph = cdp_graph_find(handle);
    return *graph != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

static cudaError_t find_node(cudaGraphNode_t handle, struct cdp_node **node)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    *node = cdp_node_find(handle);
    return *node != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

static cudaError_t find_typed(cudaGraphNode_t handle, enum cudaGraphNodeType type,
                              struct cdp_node **node)
{
    cudaError_t error = find_node(handle, node);
    if (error == cudaSuccess && (*node)->work.type != type) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return error;
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
    struct cdp_graph *graph;
    cudaError_t error = find(handle, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    if (graph->is_owned) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cdp_leak_freed(graph->handle);
    cdp_graph_free(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t handle)
{
    struct cdp_graph *graph;
    cudaError_t error = find(handle, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    if (clone == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (cdp_graph_has_memory(graph)) { /* there would be two owners of the memory */
        return cdp_api_fail(cudaErrorNotSupported);
    }
    struct cdp_graph *copy = cdp_graph_copy(graph);
    if (copy == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    *clone = cdp_graph_handle(copy);
    cdp_leak_made(CDP_LEAK_GRAPH, copy->handle, __builtin_return_address(0));
    return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original,
                                     cudaGraph_t clone)
{
    struct cdp_graph *graph;
    cudaError_t error = find(clone, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    for (size_t i = 0; i < graph->count && found != NULL; i++) {
        if (graph->nodes[i]->origin == (uintptr_t)(void *)original) {
            *found = cdp_node_handle(graph->nodes[i]);
            return cudaSuccess;
        }
    }
    return cdp_api_fail(cudaErrorInvalidValue);
}

/* ---- New nodes ---- */

/* Where a node is added. */
struct place {
    cudaGraphNode_t *node;
    cudaGraph_t graph;
    const cudaGraphNode_t *deps;
    size_t dep_count;
};

static cudaError_t add_after(const struct place *place, struct cdp_graph *graph,
                             const struct cdp_work *work)
{
    struct cdp_node **needs = cdp_alloc((place->dep_count + 1) * sizeof(struct cdp_node *));
    if (needs == NULL) {
        return cudaErrorMemoryAllocation;
    }
    for (size_t i = 0; i < place->dep_count; i++) {
        needs[i] = cdp_node_find(place->deps[i]);
    }
    struct cdp_node *node;
    cudaError_t error = cdp_graph_add(graph, needs, place->dep_count, work, &node);
    cdp_free(needs);
    if (error == cudaSuccess) {
        *place->node = cdp_node_handle(node);
    }
    return error;
}

/* error: that of making the work. Takes over what the work owns. */
static cudaError_t add(const struct place *place, cudaError_t error, struct cdp_work *work)
{
    struct cdp_graph *graph;
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    error = find(place->graph, &graph);
    bool is_bad = place->node == NULL || (place->dep_count > 0 && place->deps == NULL);
    if (error == cudaSuccess) {
        error = is_bad ? cudaErrorInvalidValue : add_after(place, graph, work);
    }
    if (error != cudaSuccess) {
        cdp_work_free(work);
        return cdp_api_fail(error);
    }
    return cudaSuccess;
}

/* The last error is stored already if the runtime cannot start. */
static cudaError_t enter(void)
{
    struct cdp_runtime *runtime;
    return cdp_api_enter(&runtime);
}

#define PLACE {.node = node, .graph = graph, .deps = deps, .dep_count = dep_count}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaKernelNodeParams *params)
{
    struct place place = PLACE;
    struct cdp_work work = {.type = cudaGraphNodeTypeEmpty};
    cudaError_t error = enter();
    if (error != cudaSuccess) {
        return error;
    }
    error = cdp_work_of_kernel(params, &work);
    work.site = __builtin_return_address(0);
    return add(&place, error, &work);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaMemcpy3DParms *params)
{
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = enter();
    return error != cudaSuccess ? error : add(&place, cdp_work_of_copy(params, &work), &work);
}

static struct cudaMemcpy3DParms flat(void *dst, const void *src, size_t size,
                                     enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)src, size, size, 1},
                                      .dstPtr = {dst, size, size, 1},
                                      .extent = {size, 1, 1},
                                      .kind = kind};
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t dep_count, void *dst,
                                     const void *src, size_t size, enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms params = flat(dst, src, size, kind);
    return cudaGraphAddMemcpyNode(node, graph, deps, dep_count, &params);
}

/* Copies to and from device variables are copies at their addresses. */
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *deps, size_t dep_count,
                                           const void *symbol, const void *src, size_t size,
                                           size_t offset, enum cudaMemcpyKind kind)
{
    void *address;
    cudaError_t error = cudaGetSymbolAddress(&address, symbol);
    return error != cudaSuccess
               ? error
               : cudaGraphAddMemcpyNode1D(node, graph, deps, dep_count, (char *)address + offset,
                                          src, size, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *deps, size_t dep_count,
                                             void *dst, const void *symbol, size_t size,
                                             size_t offset, enum cudaMemcpyKind kind)
{
    void *address;
    cudaError_t error = cudaGetSymbolAddress(&address, symbol);
    return error != cudaSuccess ? error
                                : cudaGraphAddMemcpyNode1D(node, graph, deps, dep_count, dst,
                                                           (char *)address + offset, size, kind);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaMemsetParams *params)
{
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = enter();
    return error != cudaSuccess ? error : add(&place, cdp_work_of_set(params, &work), &work);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *deps, size_t dep_count,
                                 const struct cudaHostNodeParams *params)
{
    struct place place = PLACE;
    if (params == NULL || params->fn == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_work work = {.type = cudaGraphNodeTypeHost, .host = *params};
    return add(&place, cudaSuccess, &work);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *deps, size_t dep_count)
{
    struct place place = PLACE;
    struct cdp_work work = {.type = cudaGraphNodeTypeEmpty};
    return add(&place, cudaSuccess, &work);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *deps, size_t dep_count,
                                       cudaGraph_t child)
{
    struct place place = PLACE;
    struct cdp_graph *found;
    cudaError_t error = find(child, &found);
    if (error != cudaSuccess) {
        return error;
    }
    if (cdp_graph_has_memory(found)) {
        return cdp_api_fail(cudaErrorNotSupported);
    }
    struct cdp_work work = {.type = cudaGraphNodeTypeGraph, .child = cdp_graph_copy(found)};
    if (work.child == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    work.child->is_owned = true;
    return add(&place, cudaSuccess, &work);
}

static cudaError_t add_event(const struct place *place, enum cudaGraphNodeType type,
                             cudaEvent_t event)
{
    struct cdp_work work = {.type = type, .event = cdp_handle_of_event(event)};
    cudaError_t error = cudaEventQuery(event); /* a handle of an event */
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        return error;
    }
    return add(place, cudaSuccess, &work);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *deps, size_t dep_count,
                                        cudaEvent_t event)
{
    struct place place = PLACE;
    return add_event(&place, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *deps, size_t dep_count,
                                      cudaEvent_t event)
{
    struct place place = PLACE;
    return add_event(&place, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t dep_count,
                                     struct cudaMemAllocNodeParams *params)
{
    struct place place = PLACE;
    struct cdp_work work = {.type = cudaGraphNodeTypeEmpty};
    cudaError_t error = enter();
    if (error != cudaSuccess) {
        return error;
    }
    if (params == NULL || params->poolProps.allocType != cudaMemAllocationTypePinned) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    error = cdp_work_of_alloc(params->bytesize, __builtin_return_address(0), &work);
    void *address = error == cudaSuccess ? cdp_graph_memory_address(work.memory) : NULL;
    error = add(&place, error, &work);
    if (error == cudaSuccess) {
        params->dptr = address;
    }
    return error;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *deps, size_t dep_count, void *ptr)
{
    struct place place = PLACE;
    struct cdp_work work;
    cudaError_t error = enter();
    return error != cudaSuccess ? error : add(&place, cdp_work_of_free(ptr, &work), &work);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                             size_t dep_count, struct cudaGraphNodeParams *params)
{
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
    default:
        return cdp_api_fail(cudaErrorNotSupported);
    }
}

/* ---- Dependencies ---- */

static cudaError_t change_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                       const cudaGraphNode_t *to, size_t count, bool removes)
{
    struct cdp_graph *found;
    cudaError_t error = find(graph, &found);
    if (error != cudaSuccess) {
        return error;
    }
    if (count > 0 && (from == NULL || to == NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    for (size_t i = 0; i < count; i++) {
        struct cdp_node *first = cdp_node_find(from[i]), *second = cdp_node_find(to[i]);
        if (first == NULL || second == NULL || second->graph != found ||
            (removes && !cdp_node_needs(second, first))) {
            return cdp_api_fail(cudaErrorInvalidValue);
        }
        if (removes) {
            cdp_node_drop_need(second, first);
        } else if ((error = cdp_node_add_need(second, first)) != cudaSuccess) {
            return cdp_api_fail(error);
        }
    }
    return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    return change_dependencies(graph, from, to, count, false);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count)
{
    return change_dependencies(graph, from, to, count, true);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    struct cdp_node *node;
    cudaError_t error = find_node(handle, &node);
    if (error != cudaSuccess) {
        return error;
    }
    if (node->work.type == cudaGraphNodeTypeMemAlloc ||
        node->work.type == cudaGraphNodeTypeMemFree) {
        return cdp_api_fail(cudaErrorNotSupported);
    }
    cdp_node_remove(node);
    return cudaSuccess;
}

/* ---- Queries ----
 *
 * As CUDA does it: without an array the number is returned; with one, its size is *count, entries
 * without a node are NULL, and *count becomes the number of nodes. */

struct nodes_out {
    cudaGraphNode_t *nodes;
    size_t room, found;
};

static void put(struct nodes_out *out, const struct cdp_node *node)
{
    if (out->nodes != NULL && out->found < out->room) {
        out->nodes[out->found] = cdp_node_handle(node);
    }
    out->found++;
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
    cudaError_t error = find(handle, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    if (count == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct nodes_out out = {.nodes = nodes, .room = *count};
    for (size_t i = 0; i < graph->count; i++) {
        if (!only_roots || graph->nodes[i]->need_count == 0) {
            put(&out, graph->nodes[i]);
        }
    }
    finish(&out, count);
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return list_nodes(graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return list_nodes(graph, nodes, count, true);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *count)
{
    struct cdp_graph *graph;
    cudaError_t error = find(handle, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    if (count == NULL || (from == NULL) != (to == NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct nodes_out first = {.nodes = from, .room = *count};
    struct nodes_out second = {.nodes = to, .room = *count};
    for (size_t i = 0; i < graph->count; i++) {
        for (size_t k = 0; k < graph->nodes[i]->need_count; k++) {
            put(&first, graph->nodes[i]->needs[k]);
            put(&second, graph->nodes[i]);
        }
    }
    finish(&first, count);
    finish(&second, count);
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t *deps,
                                         size_t *count)
{
    struct cdp_node *node;
    cudaError_t error = find_node(handle, &node);
    if (error != cudaSuccess) {
        return error;
    }
    if (count == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct nodes_out out = {.nodes = deps, .room = *count};
    for (size_t i = 0; i < node->need_count; i++) {
        put(&out, node->needs[i]);
    }
    finish(&out, count);
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                           size_t *count)
{
    struct cdp_node *node;
    cudaError_t error = find_node(handle, &node);
    if (error != cudaSuccess) {
        return error;
    }
    if (count == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct nodes_out out = {.nodes = nodes, .room = *count};
    for (size_t i = 0; i < node->graph->count; i++) {
        if (cdp_node_needs(node->graph->nodes[i], node)) {
            put(&out, node->graph->nodes[i]);
        }
    }
    finish(&out, count);
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
    struct cdp_node *node;
    cudaError_t error = find_node(handle, &node);
    if (error != cudaSuccess) {
        return error;
    }
    if (type == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *type = node->work.type;
    return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t *graph)
{
    struct cdp_node *node;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeGraph, &node);
    if (error == cudaSuccess && graph == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess) {
        *graph = cdp_graph_handle(node->work.child);
    }
    return error;
}

/* ---- Parameters of nodes ---- */

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle,
                                         struct cudaKernelNodeParams *params)
{
    struct cdp_node *node;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeKernel, &node);
    if (error != cudaSuccess || params == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    const struct cdp_work_launch *launch = &node->work.launch;
    *params = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)launch->func,
        .gridDim = launch->shape.grid,
        .blockDim = launch->shape.block,
        .sharedMemBytes = (unsigned)launch->shape.dynamic_shared,
        .kernelParams = launch->args,
    };
    return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, struct cudaMemcpy3DParms *params)
{
    struct cdp_node *node;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeMemcpy, &node);
    if (error != cudaSuccess || params == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    *params = node->work.transfer.asked.copy;
    return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, struct cudaMemsetParams *params)
{
    struct cdp_node *node;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeMemset, &node);
    if (error != cudaSuccess || params == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    *params = node->work.transfer.asked.set;
    return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, struct cudaHostNodeParams *params)
{
    struct cdp_node *node;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeHost, &node);
    if (error != cudaSuccess || params == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    *params = node->work.host;
    return cudaSuccess;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle,
                                           struct cudaMemAllocNodeParams *params)
{
    struct cdp_node *node;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeMemAlloc, &node);
    if (error != cudaSuccess || params == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    *params = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice, .id = 0}},
        .bytesize = cdp_graph_memory_size(node->work.memory),
        .dptr = cdp_graph_memory_address(node->work.memory),
    };
    return cudaSuccess;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void *dptr_out)
{
    struct cdp_node *node;
    cudaError_t error = find_typed(handle, cudaGraphNodeTypeMemFree, &node);
    if (error != cudaSuccess || dptr_out == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    *(void **)dptr_out = cdp_graph_memory_address(node->work.memory);
    return cudaSuccess;
}

static cudaError_t get_event(cudaGraphNode_t handle, enum cudaGraphNodeType type,
                             cudaEvent_t *event)
{
    struct cdp_node *node;
    cudaError_t error = find_typed(handle, type, &node);
    if (error != cudaSuccess || event == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    *event = cdp_event_of_handle(node->work.event);
    return cudaSuccess;
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    return get_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}

/* error: that of making the work. */
static cudaError_t set_work(cudaGraphNode_t handle, cudaError_t error, struct cdp_work *work)
{
    struct cdp_node *node;
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    error = find_typed(handle, work->type, &node);
    if (error != cudaSuccess) {
        cdp_work_free(work);
        return error;
    }
    work->site = node->work.site;
    cdp_work_free(&node->work);
    node->work = *work;
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *params)
{
    struct cdp_work work;
    cudaError_t error = enter();
    return error != cudaSuccess ? error : set_work(node, cdp_work_of_kernel(params, &work), &work);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *params)
{
    struct cdp_work work;
    cudaError_t error = enter();
    return error != cudaSuccess ? error : set_work(node, cdp_work_of_copy(params, &work), &work);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                           size_t size, enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms params = flat(dst, src, size, kind);
    return cudaGraphMemcpyNodeSetParams(node, &params);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *params)
{
    struct cdp_work work;
    cudaError_t error = enter();
    return error != cudaSuccess ? error : set_work(node, cdp_work_of_set(params, &work), &work);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *params)
{
    if (params == NULL || params->fn == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_work work = {.type = cudaGraphNodeTypeHost, .host = *params};
    return set_work(node, cudaSuccess, &work);
}

static cudaError_t set_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t event)
{
    struct cdp_work work = {.type = type, .event = cdp_handle_of_event(event)};
    cudaError_t error = cudaEventQuery(event);
    return error != cudaSuccess && error != cudaErrorNotReady ? error
                                                              : set_work(node, cudaSuccess, &work);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return set_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return set_event(node, cudaGraphNodeTypeWaitEvent, event);
}
