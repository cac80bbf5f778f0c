/* Graphs and their nodes: creation, handles, order, copies. */
#include "api/graph.h"

#include <string.h>

#include "api/error.h"
#include "api/graph_condition.h"
#include "api/graph_memory.h"
#include "api/profile.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "model/profile.h"

enum { GRAPH_TAG = 0x47 /* 'G' */, NODE_TAG = 0x4e /* 'N' */ };

static struct {
    struct cdp_lock lock; /* guards the tables */
    struct cdp_handle_table graphs, nodes;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_GRAPHS),
         .graphs = {.tag = GRAPH_TAG},
         .nodes = {.tag = NODE_TAG}};

static uint64_t make_handle(struct cdp_handle_table *table, void *object)
{
    cdp_lock_acquire(&all.lock);
    uint64_t handle = cdp_handle_create(table, object);
    cdp_lock_release(&all.lock);
    return handle;
}

static void end_handle(struct cdp_handle_table *table, uint64_t handle)
{
    cdp_lock_acquire(&all.lock);
    cdp_handle_remove(table, handle);
    cdp_lock_release(&all.lock);
}

static void *find(const struct cdp_handle_table *table, const void *handle)
{
    cdp_lock_acquire(&all.lock);
    void *object = cdp_handle_find(table, (uintptr_t)handle);
    cdp_lock_release(&all.lock);
    return object;
}

struct cdp_graph *cdp_graph_find(cudaGraph_t graph)
{
    return find(&all.graphs, graph);
}

struct cdp_node *cdp_node_find(cudaGraphNode_t node)
{
    return find(&all.nodes, node);
}

cudaError_t cdp_graph_enter(cudaGraph_t handle, struct cdp_graph **graph)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    *graph = cdp_graph_find(handle);
    return *graph != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

cudaError_t cdp_node_enter(cudaGraphNode_t handle, struct cdp_node **node)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    *node = cdp_node_find(handle);
    return *node != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

struct cdp_graph *cdp_graph_new(void)
{
    struct cdp_graph *graph = cdp_alloc_zero(sizeof *graph);
    if (graph == NULL) {
        return NULL;
    }
    graph->handle = make_handle(&all.graphs, graph);
    if (graph->handle == 0) {
        cdp_free(graph);
        return NULL;
    }
    return graph;
}

static void free_node(struct cdp_node *node)
{
    end_handle(&all.nodes, node->handle);
    cdp_work_free(&node->work);
    cdp_free(node->deps);
    cdp_free(node->edges);
    cdp_free(node);
}

void cdp_graph_free(struct cdp_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        free_node(graph->nodes[i]);
    }
    cdp_graph_drop_objects(graph);
    cdp_graph_drop_conditions(graph);
    end_handle(&all.graphs, graph->handle);
    cdp_free(graph->nodes);
    cdp_free(graph);
}

/* Owned graphs are freed by their owners. */
static bool take_if_free(void *object, void *arg)
{
    struct cdp_graph *graph = object, **list = arg;
    if (!graph->is_owned) {
        graph->next = *list;
        *list = graph;
    }
    return true;
}

void cdp_graphs_reset(void)
{
    struct cdp_graph *list = NULL;
    cdp_lock_acquire(&all.lock);
    cdp_handle_clear(&all.graphs, take_if_free, &list);
    cdp_lock_release(&all.lock);
    while (list != NULL) {
        struct cdp_graph *next = list->next;
        cdp_graph_free(list);
        list = next;
    }
}

/* Room for one more node in a list; NULL: no memory. */
static struct cdp_node **grown(struct cdp_node **list, size_t count, size_t *capacity)
{
    if (count < *capacity) {
        return list;
    }
    size_t more = *capacity == 0 ? 4 : 2 * *capacity;
    struct cdp_node **larger = cdp_realloc(list, more * sizeof(struct cdp_node *));
    *capacity = larger != NULL ? more : *capacity;
    return larger;
}

bool cdp_node_depends_on(const struct cdp_node *node, const struct cdp_node *other)
{
    for (size_t i = 0; i < node->dep_count; i++) {
        if (node->deps[i] == other) {
            return true;
        }
    }
    return false;
}

bool cdp_edge_is_ordinary(const cudaGraphEdgeData *edge)
{
    static const cudaGraphEdgeData ordinary;
    return edge == NULL || memcmp(edge, &ordinary, sizeof ordinary) == 0;
}

bool cdp_edges_are_ordinary(const cudaGraphEdgeData *edges, size_t count)
{
    bool are = true;
    for (size_t i = 0; edges != NULL && i < count && are; i++) {
        are = cdp_edge_is_ordinary(&edges[i]);
    }
    return are;
}

/* As GPUs take them: a kernel may start others before its end, or when its blocks have started. to:
 * the type of the later node. */
static bool is_possible(const struct cdp_node *from, enum cudaGraphNodeType to,
                        const cudaGraphEdgeData *edge)
{
    if (cdp_edge_is_ordinary(edge)) {
        return true;
    }
    cudaGraphEdgeData known = {
        .from_port = edge->from_port, .to_port = 0, .type = edge->type}; /* the rest is 0 */
    bool is_of_kernel =
        from->work.type == cudaGraphNodeTypeKernel && memcmp(edge, &known, sizeof known) == 0;
    if (edge->type == cudaGraphDependencyTypeDefault) {
        return is_of_kernel && edge->from_port == cudaGraphKernelNodePortLaunchCompletion;
    }
    return is_of_kernel && edge->type == cudaGraphDependencyTypeProgrammatic &&
           to == cudaGraphNodeTypeKernel && cdp_profile_here()->capability->major >= 9 &&
           (edge->from_port == cudaGraphKernelNodePortProgrammatic ||
            edge->from_port == cudaGraphKernelNodePortLaunchCompletion);
}

cudaError_t cdp_edges_check(const cudaGraphEdgeData *edges, const cudaGraphNode_t *deps,
                            size_t count, enum cudaGraphNodeType type)
{
    for (size_t i = 0; edges != NULL && deps != NULL && i < count; i++) {
        const struct cdp_node *from = cdp_node_find(deps[i]);
        if (from != NULL && !is_possible(from, type, &edges[i])) {
            return cudaErrorInvalidValue;
        }
    }
    return cudaSuccess;
}

void cdp_edges_set(cudaGraphNode_t handle, const cudaGraphEdgeData *edges, size_t count)
{
    struct cdp_node *node = cdp_node_find(handle);
    if (node != NULL &&
        edges != NULL) { /* a new node's dependencies are in the order of the call */
        memcpy(node->edges, edges, count * sizeof *edges);
    }
}

void cdp_node_fit_edge(struct cdp_node *node, size_t index, const cudaGraphEdgeData *edge)
{
    /* In captures a fill has such edges, too: an H100 showed it. */
    bool is_fit = is_possible(node->deps[index], cudaGraphNodeTypeKernel, edge);
    node->edges[index] = is_fit ? *edge : (cudaGraphEdgeData){.type = 0};
}

static bool grow_dependencies(struct cdp_node *node)
{
    if (node->dep_count < node->dep_capacity) {
        return true;
    }
    size_t capacity = node->dep_capacity == 0 ? 4 : 2 * node->dep_capacity;
    struct cdp_node **deps = cdp_realloc(node->deps, capacity * sizeof(struct cdp_node *));
    node->deps = deps != NULL ? deps : node->deps;
    cudaGraphEdgeData *edges =
        deps != NULL ? cdp_realloc(node->edges, capacity * sizeof *edges) : NULL;
    node->edges = edges != NULL ? edges : node->edges;
    node->dep_capacity = edges != NULL ? capacity : node->dep_capacity;
    return edges != NULL;
}

/* False: no memory. */
static bool append_dependency(struct cdp_node *node, struct cdp_node *other,
                              const cudaGraphEdgeData *edge)
{
    if (!grow_dependencies(node)) {
        return false;
    }
    node->edges[node->dep_count] = edge != NULL ? *edge : (cudaGraphEdgeData){.type = 0};
    node->deps[node->dep_count++] = other;
    return true;
}

cudaError_t cdp_node_add_dependency(struct cdp_node *node, struct cdp_node *other,
                                    const cudaGraphEdgeData *edge)
{
    if (other == NULL || other->graph != node->graph || other == node ||
        cdp_node_depends_on(node, other) || !is_possible(other, node->work.type, edge)) {
        return cudaErrorInvalidValue;
    }
    return append_dependency(node, other, edge) ? cudaSuccess : cudaErrorMemoryAllocation;
}

void cdp_node_remove_dependency(struct cdp_node *node, const struct cdp_node *other)
{
    size_t kept = 0;
    for (size_t i = 0; i < node->dep_count; i++) {
        if (node->deps[i] != other) {
            node->edges[kept] = node->edges[i];
            node->deps[kept++] = node->deps[i];
        }
    }
    node->dep_count = kept;
}

static struct cdp_node *new_node(struct cdp_graph *graph)
{
    struct cdp_node *node = cdp_alloc_zero(sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    node->graph = graph;
    node->work.type = cudaGraphNodeTypeEmpty;
    node->handle = make_handle(&all.nodes, node);
    if (node->handle == 0) {
        cdp_free(node);
        return NULL;
    }
    return node;
}

cudaError_t cdp_graph_add(struct cdp_graph *graph, struct cdp_node *const *deps, size_t dep_count,
                          const struct cdp_work *work, struct cdp_node **out)
{
    struct cdp_node **nodes = grown(graph->nodes, graph->count, &graph->capacity);
    if (nodes == NULL) {
        return cudaErrorMemoryAllocation;
    }
    graph->nodes = nodes;
    struct cdp_node *node = new_node(graph);
    if (node == NULL) {
        return cudaErrorMemoryAllocation;
    }
    for (size_t i = 0; i < dep_count; i++) {
        cudaError_t error = cdp_node_add_dependency(node, deps[i], NULL);
        if (error != cudaSuccess) {
            free_node(node);
            return error;
        }
    }
    node->work = *work;
    cdp_work_set_outer(work, graph);
    if (cdp_work_is_of_memory(work)) {
        cdp_graph_memory_note_node(work->memory, work->type, graph);
    }
    node->index = graph->count;
    graph->nodes[graph->count++] = node;
    *out = node;
    return cudaSuccess;
}

void cdp_node_remove(struct cdp_node *node)
{
    struct cdp_graph *graph = node->graph;
    for (size_t i = 0; i < graph->count; i++) {
        cdp_node_remove_dependency(graph->nodes[i], node);
    }
    for (size_t i = node->index; i + 1 < graph->count; i++) {
        graph->nodes[i] = graph->nodes[i + 1];
        graph->nodes[i]->index = i;
    }
    graph->count--;
    free_node(node);
}

/* Takes the nodes whose dependencies are all taken, in the order of their creation, until all are
 * taken. */
cudaError_t cdp_graph_sort(const struct cdp_graph *graph, struct cdp_node **out)
{
    size_t taken = 0, before = 1;
    bool *is_taken = cdp_alloc_zero((graph->count + 1) * sizeof *is_taken);
    if (is_taken == NULL) {
        return cudaErrorMemoryAllocation;
    }
    while (taken != before && taken < graph->count) {
        before = taken;
        for (size_t i = 0; i < graph->count; i++) {
            const struct cdp_node *node = graph->nodes[i];
            bool is_ready = !is_taken[i];
            for (size_t k = 0; k < node->dep_count && is_ready; k++) {
                is_ready = is_taken[node->deps[k]->index];
            }
            if (is_ready) {
                is_taken[i] = true;
                out[taken++] = graph->nodes[i];
            }
        }
    }
    cdp_free(is_taken);
    return taken == graph->count ? cudaSuccess : cudaErrorInvalidValue;
}

/* The dependencies are possible, because the original has them. The current device may be another
 * one than that for which they were made. */
static bool copy_dependencies(const struct cdp_node *node, const struct cdp_graph *copy,
                              struct cdp_node *made)
{
    bool done = true;
    for (size_t i = 0; i < node->dep_count && done; i++) {
        done = append_dependency(made, copy->nodes[node->deps[i]->index], &node->edges[i]);
    }
    return done;
}

static bool copy_nodes(const struct cdp_graph *graph, struct cdp_graph *copy)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct cdp_node *node = graph->nodes[i];
        struct cdp_work work;
        struct cdp_node *made;
        if (!cdp_work_copy(&node->work, &work)) {
            return false;
        }
        if (cdp_graph_add(copy, NULL, 0, &work, &made) != cudaSuccess) {
            cdp_work_free(&work);
            return false;
        }
        made->origin = node->handle;
    }
    for (size_t i = 0; i < graph->count; i++) {
        if (!copy_dependencies(graph->nodes[i], copy, copy->nodes[i])) {
            return false;
        }
    }
    return cdp_graph_share_objects(copy, graph);
}

struct cdp_graph *cdp_graph_copy(const struct cdp_graph *graph)
{
    struct cdp_graph *copy = cdp_graph_new();
    if (copy == NULL) {
        return NULL;
    }
    if (!copy_nodes(graph, copy)) {
        cdp_graph_free(copy);
        return NULL;
    }
    return copy;
}
