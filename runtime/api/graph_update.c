/* Changes of executable graphs: what their nodes do. Launches that are pending keep what they have,
 * as their streams have copies, or are waited for. */
#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/library_work.h"
#include "api/memory_ops.h"
#include "api/graph.h"
#include "api/graph_condition.h"
#include "api/graph_updatable.h"
#include "api/symbol.h"
#include "exec/report/profile.h"

/* ---- One node ---- */

/* The graph of a child graph's node, or the bodies of a conditional node. */
struct inner {
    struct cdp_graph *const *graphs;
    size_t count;
};

static struct inner inner_of(const struct cdp_work *work)
{
    if (work->type == cudaGraphNodeTypeGraph) {
        return (struct inner){.graphs = &work->child, .count = 1};
    }
    if (work->type == cudaGraphNodeTypeConditional) {
        return (struct inner){.graphs = work->conditional->bodies,
                              .count = work->conditional->size};
    }
    return (struct inner){.count = 0};
}

/* The copy of a node, also within child graphs and bodies. */
static struct cdp_node *copy_of(const struct cdp_graph *graph, uint64_t origin)
{
    struct cdp_node *found = NULL;
    for (size_t i = 0; i < graph->count && found == NULL; i++) {
        struct cdp_node *node = graph->nodes[i];
        struct inner inner = inner_of(&node->work);
        found = node->origin == origin ? node : NULL;
        for (size_t k = 0; k < inner.count && found == NULL; k++) {
            found = copy_of(inner.graphs[k], origin);
        }
    }
    return found;
}

/* The start of a call for a node of an executable graph. */
static cudaError_t find_copy(cudaGraphExec_t exec, cudaGraphNode_t node, struct cdp_node **copy)
{
    struct cdp_graph *graph;
    cudaError_t error = cdp_exec_enter(exec, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    *copy = copy_of(graph, (uintptr_t)(void *)node);
    return *copy != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

static cudaError_t find_typed(cudaGraphExec_t exec, cudaGraphNode_t node,
                              enum cudaGraphNodeType type, struct cdp_node **copy)
{
    cudaError_t error = find_copy(exec, node, copy);
    return error == cudaSuccess && (*copy)->work.type != type ? cdp_api_fail(cudaErrorInvalidValue)
                                                              : error;
}

/* error: that of the steps before; if there is none, what the work owns is taken over. */
static cudaError_t set_work(cudaGraphExec_t exec, struct cdp_node *copy, cudaError_t error,
                            struct cdp_work *work)
{
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    cdp_exec_settle(exec);
    cdp_node_set_work(copy, work);
    return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *copy;
    struct cdp_work work;
    cudaError_t error = find_typed(exec, node, cudaGraphNodeTypeKernel, &copy);
    error = error != cudaSuccess ? error : cdp_work_of_kernel(params, &copy->work, NULL, &work);
    return set_work(exec, copy, error, &work);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *copy;
    struct cdp_work work;
    cudaError_t error = find_typed(exec, node, cudaGraphNodeTypeMemcpy, &copy);
    error = error != cudaSuccess ? error : cdp_work_of_copy(params, &work);
    return set_work(exec, copy, error, &work);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t size,
                                               enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cudaMemcpy3DParms params = cdp_flat_copy_params(dst, src, size, kind);
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void *symbol, const void *src,
                                                     size_t size, size_t offset,
                                                     enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyHostToDevice};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    return error != cudaSuccess
               ? error
               : cudaGraphExecMemcpyNodeSetParams1D(exec, node, address, src, size, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void *dst, const void *symbol, size_t size,
                                                       size_t offset, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyDeviceToHost};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    return error != cudaSuccess
               ? error
               : cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, address, size, kind);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *copy;
    struct cdp_work work;
    cudaError_t error = find_typed(exec, node, cudaGraphNodeTypeMemset, &copy);
    error = error != cudaSuccess ? error : cdp_work_of_set(params, &work);
    if (error == cudaSuccess && (copy->work.transfer.params.set.height > 1 || params->height > 1)) {
        return cdp_api_fail(cudaErrorInvalidValue); /* CUDA changes fills of one row only */
    }
    return set_work(exec, copy, error, &work);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params)
{
    CDP_PROFILE_CALL();
    struct cdp_node *copy;
    struct cdp_work work;
    cudaError_t error = find_typed(exec, node, cudaGraphNodeTypeHost, &copy);
    error = error != cudaSuccess ? error : cdp_work_of_host(params, &work);
    return set_work(exec, copy, error, &work);
}

/* As an H200 does it, the operations stay of their kinds. */
cudaError_t cdp_exec_set_memory_ops(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const struct cdp_memory_ops_order *ops)
{
    struct cdp_node *copy;
    struct cdp_work work;
    cudaError_t error = find_typed(exec, node, CDP_NODE_MEMORY_OPS, &copy);
    error = error != cudaSuccess ? error : cdp_work_of_memory_ops(ops, &work);
    if (error == cudaSuccess && !cdp_memory_ops_are_alike(copy->work.memory_ops, work.memory_ops)) {
        cdp_work_free(&work);
        error = cudaErrorInvalidValue;
    }
    return set_work(exec, copy, error, &work);
}

static cudaError_t set_event(cudaGraphExec_t exec, cudaGraphNode_t node,
                             enum cudaGraphNodeType type, cudaEvent_t event)
{
    struct cdp_node *copy;
    struct cdp_work work;
    cudaError_t error = find_typed(exec, node, type, &copy);
    error = error != cudaSuccess ? error : cdp_work_of_event(type, event, &work);
    return set_work(exec, copy, error, &work);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    return set_event(exec, node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    return set_event(exec, node, cudaGraphNodeTypeWaitEvent, event);
}

/* Kernels, copies and fills can be disabled. */
static cudaError_t find_switched(cudaGraphExec_t exec, cudaGraphNode_t node, struct cdp_node **copy)
{
    cudaError_t error = find_copy(exec, node, copy);
    if (error != cudaSuccess) {
        return error;
    }
    enum cudaGraphNodeType type = (*copy)->work.type;
    bool may_disable = type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
                       type == cudaGraphNodeTypeMemset || type == CDP_NODE_LIBRARY;
    return may_disable ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int is_enabled)
{
    CDP_PROFILE_CALL();
    struct cdp_node *copy;
    cudaError_t error = find_switched(exec, node, &copy);
    if (error == cudaSuccess) {
        cdp_exec_settle(exec);
        copy->work.is_disabled = is_enabled == 0;
    }
    return error;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *is_enabled)
{
    CDP_PROFILE_CALL();
    struct cdp_node *copy;
    cudaError_t error = find_switched(exec, node, &copy);
    if (error == cudaSuccess && is_enabled == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess) {
        *is_enabled = !copy->work.is_disabled;
    }
    return error;
}

/* ---- All nodes, by those of another graph ---- */

/* Whether two nodes have the same dependencies, by their numbers. */
static bool have_same_deps(const struct cdp_node *a, const struct cdp_node *b)
{
    bool is_same = a->dep_count == b->dep_count;
    for (size_t i = 0; i < a->dep_count && is_same; i++) {
        is_same = cdp_node_depends_on(b, b->graph->nodes[a->deps[i]->index]);
    }
    return is_same;
}

static enum cudaGraphExecUpdateResult compare(const struct cdp_graph *old,
                                              const struct cdp_graph *graph,
                                              cudaGraphExecUpdateResultInfo *info);

/* What is in the nodes, which are of one type. A conditional node stays of its kind. */
static enum cudaGraphExecUpdateResult compare_inner(const struct cdp_work *old,
                                                    const struct cdp_work *work,
                                                    cudaGraphExecUpdateResultInfo *info)
{
    struct inner a = inner_of(old), b = inner_of(work);
    bool is_same_kind = a.count == b.count && (old->type != cudaGraphNodeTypeConditional ||
                                               old->conditional->type == work->conditional->type);
    is_same_kind &= old->type != CDP_NODE_MEMORY_OPS ||
                    cdp_memory_ops_are_alike(old->memory_ops, work->memory_ops);
    enum cudaGraphExecUpdateResult result =
        is_same_kind ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorParametersChanged;
    for (size_t i = 0; i < a.count && result == cudaGraphExecUpdateSuccess; i++) {
        result = compare(a.graphs[i], b.graphs[i], info);
    }
    return result;
}

static enum cudaGraphExecUpdateResult compare(const struct cdp_graph *old,
                                              const struct cdp_graph *graph,
                                              cudaGraphExecUpdateResultInfo *info)
{
    enum cudaGraphExecUpdateResult result = old->count == graph->count
                                                ? cudaGraphExecUpdateSuccess
                                                : cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < graph->count && result == cudaGraphExecUpdateSuccess; i++) {
        const struct cdp_node *a = old->nodes[i], *b = graph->nodes[i];
        if (!have_same_deps(a, b)) {
            result = cudaGraphExecUpdateErrorTopologyChanged;
        } else if (a->work.type != b->work.type) {
            result = cudaGraphExecUpdateErrorNodeTypeChanged;
        } else {
            result = compare_inner(&a->work, &b->work, info);
        }
        if (result != cudaGraphExecUpdateSuccess && info->errorNode == NULL) {
            info->errorNode = cdp_node_handle(b);
        }
    }
    return result;
}

/* Exchanges what the nodes of two graphs with the same nodes and dependencies do. A disabled node
 * stays disabled. Works of child graphs and of bodies are exchanged one by one, as the steps refer
 * to nodes. */
static void swap_works(struct cdp_graph *graph, struct cdp_graph *other)
{
    for (size_t i = 0; i < graph->count; i++) {
        struct cdp_work *a = &graph->nodes[i]->work, *b = &other->nodes[i]->work;
        struct inner ours = inner_of(a), others = inner_of(b);
        for (size_t k = 0; k < ours.count; k++) {
            swap_works(ours.graphs[k], others.graphs[k]);
        }
        if (a->type == cudaGraphNodeTypeConditional) {
            cdp_conditional_swap(a->conditional, b->conditional);
        }
        if (ours.count > 0) {
            continue;
        }
        struct cdp_work work = *a;
        *a = *b;
        *b = work;
        a->is_disabled = work.is_disabled;
    }
    struct cdp_graph_object *objects = graph->objects;
    size_t count = graph->object_count;
    graph->objects = other->objects;
    graph->object_count = other->object_count;
    other->objects = objects;
    other->object_count = count;
}

/* own: of the executable graph. */
static cudaError_t update(cudaGraphExec_t exec, struct cdp_graph *own,
                          const struct cdp_graph *graph)
{
    struct cdp_graph *fresh = cdp_graph_copy(graph);
    if (fresh == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    cdp_exec_settle(exec);
    swap_works(own, fresh);
    cdp_graph_free(fresh);
    return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t handle,
                                cudaGraphExecUpdateResultInfo *info)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *own, *graph;
    cudaGraphExecUpdateResultInfo unused;
    cudaError_t error = cdp_exec_enter(exec, &own);
    error = error != cudaSuccess ? error : cdp_graph_enter(handle, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    info = info != NULL ? info : &unused;
    *info = (cudaGraphExecUpdateResultInfo){.errorNode = NULL};
    if (cdp_graph_has_updatables(own) || cdp_graph_has_updatables(graph)) {
        info->result = cudaGraphExecUpdateErrorNotSupported;
        return cdp_api_fail(cudaErrorNotSupported);
    }
    info->result = compare(own, graph, info);
    return info->result == cudaGraphExecUpdateSuccess
               ? update(exec, own, graph)
               : cdp_api_fail(cudaErrorGraphExecUpdateFailure);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    CDP_PROFILE_CALL();
    struct cdp_node *copy;
    struct cdp_graph *graph;
    cudaGraphExecUpdateResultInfo info = {.errorNode = NULL};
    cudaError_t error = find_typed(exec, node, cudaGraphNodeTypeGraph, &copy);
    error = error != cudaSuccess ? error : cdp_graph_enter(child, &graph);
    if (error != cudaSuccess) {
        return error;
    }
    return compare(copy->work.child, graph, &info) == cudaGraphExecUpdateSuccess
               ? update(exec, copy->work.child, graph)
               : cdp_api_fail(cudaErrorInvalidValue);
}
