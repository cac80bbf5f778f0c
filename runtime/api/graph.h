/* Graphs: nodes, what each does, and the order between them (CUDA's guide, "CUDA Graphs").
 *
 *     graph.c         graphs and nodes, handles, copies
 *     graph_work.c    from CUDA's parameters to what a node does, and back
 *     graph_nodes.c   the calls that build graphs
 *     graph_query.c   the calls that read graphs, and those that change parameters
 *     graph_plan.c    from nodes to streams and events
 *     graph_exec.c    executable graphs: their life, launches
 *     graph_condition.c  conditional nodes
 *     graph_run.c     launches by kernels
 *     graph_updatable.c  kernel nodes that kernels change
 *     graph_attribute.c  attributes of kernel nodes
 *     graph_obstacle.c   which graphs kernels may launch
 *     graph_update.c  changes of executable graphs
 *     graph_memory.c  memory nodes
 *     memory_ops.c    nodes that write values into memory and wait for values there
 *     graph_object.c  objects of the program that graphs keep alive
 *     graph_dot.c     a picture of a graph
 *     capture*.c      streams whose calls become nodes
 *
 * Programs hold handles (base/handle.h). The tables have a lock. Graphs themselves have none: CUDA
 * requires that a program does not use one from two threads at the same time. A graph that is being
 * captured is used under the lock of api/capture.c. */
#ifndef CDP_API_GRAPH_H
#define CDP_API_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"

#include "api/move.h"
#include "base/attr.h"
#include "exec/launch/chain.h"

struct cdp_condition;
struct cdp_conditional;
struct cdp_graph;
struct cdp_graph_memory;
struct cdp_library_work;
struct cdp_memory_ops;
struct cdp_runtime;
struct cdp_updatable;

/* A kernel with its arguments. */
/* Attributes without an effect. */
struct cdp_launch_hints {
    int priority;
    struct cudaAccessPolicyWindow window;
};

struct cdp_work_launch {
    struct cdp_launch order; /* with params, and not with args */
    const void *func;        /* as the program names the kernel */
    void **args; /* owned, with the parameters: pointers to them, as the program may ask for */
    struct cdp_updatable *updatable; /* counted; NULL: kernels do not change it */
    struct cdp_launch_hints hints;
};

/* A copy, or a fill with a value of 1, 2 or 4 bytes. */
struct cdp_work_transfer {
    struct cdp_transfer transfer;
    union {
        struct cudaMemcpy3DParms copy;
        struct cudaMemsetParams set;
    } params; /* as the program describes it */
};

/* What a node does. */
struct cdp_work {
    enum cudaGraphNodeType type;
    bool is_disabled; /* of an executable graph: the node does nothing */
    union {
        struct cdp_work_launch launch;
        struct cdp_work_transfer transfer; /* memcpy, memset */
        struct cudaHostNodeParams host;
        struct cdp_graph *child;             /* owned */
        struct cdp_conditional *conditional; /* owned */
        uint64_t event;                      /* handle; of a record or a wait */
        struct cdp_graph_memory *memory;     /* counted; of an allocation or a free */
        struct cdp_memory_ops *memory_ops;   /* counted; of CDP_NODE_MEMORY_OPS (memory_ops.h) */
        struct cdp_library_work *library;    /* counted; of CDP_NODE_LIBRARY (library_work.h) */
    };
};

struct cdp_node {
    struct cdp_graph *graph;
    uint64_t handle, origin;  /* origin: of the node of which this is a copy; or 0 */
    size_t index;             /* in graph->nodes */
    size_t step;              /* of an executable graph: its number there */
    struct cdp_node **deps;   /* owned: the nodes that come before */
    cudaGraphEdgeData *edges; /* owned: of the same dependencies */
    size_t dep_count, dep_capacity;
    struct cdp_work work;
};

struct cdp_user_object;
/* References of a graph to an object of the program. */
struct cdp_graph_object {
    struct cdp_user_object *object;
    unsigned count;
};

/* Life: from cdp_graph_new to cdp_graph_free. Owned by the program, by a node (a child graph), or
 * by an executable graph. */
struct cdp_graph {
    uint64_t handle;
    bool is_owned;    /* by a node or an executable graph: the program must not destroy it */
    bool is_captured; /* a capture adds nodes: the program must not destroy it or its nodes */
    bool is_body;     /* of a conditional node */
    struct cdp_graph *outer; /* the graph of the node that owns this one; or NULL */
    struct cdp_node *holder; /* of an executable graph: the node of this child graph; or NULL */
    struct cdp_condition **conditions; /* owned; counted: made for this graph */
    size_t condition_count;
    uint64_t exec;           /* handle: the executable graph made of it last; or 0 */
    struct cdp_node **nodes; /* owned, in the order of their creation */
    size_t count, capacity;
    struct cdp_graph_object *objects; /* owned */
    size_t object_count;
    struct cdp_graph *next; /* while all graphs are freed */
};

/* NULL if there is no memory. */
struct cdp_graph *cdp_graph_new(void);
void cdp_graph_free(struct cdp_graph *graph);
/* A copy with copies of all nodes; NULL if there is no memory. */
struct cdp_graph *cdp_graph_copy(const struct cdp_graph *graph);
/* For cudaDeviceReset, after which no stream of the device exists: frees captures and executable
 * graphs that were begun there, and all graphs. */
void cdp_captures_reset(unsigned device);
void cdp_execs_reset(struct cdp_runtime *runtime, unsigned device);
void cdp_graphs_reset(void);
/* The live graph or node of a handle, or NULL. */
struct cdp_graph *cdp_graph_find(cudaGraph_t graph);
struct cdp_node *cdp_node_find(cudaGraphNode_t node);
/* The start of a call for a graph or a node: as cdp_api_enter, and cudaErrorInvalidValue if there
 * is none. These errors have been stored as the last error. */
cudaError_t cdp_graph_enter(cudaGraph_t handle, struct cdp_graph **graph) CDP_MUST_CHECK;
cudaError_t cdp_node_enter(cudaGraphNode_t handle, struct cdp_node **node) CDP_MUST_CHECK;
/* The graph of which an executable graph consists. It owns it: a copy, whose nodes know those of
 * which they are copies. The works of its nodes may change. The steps of launches refer to them, so
 * nodes and dependencies do not. Errors: as above. */
cudaError_t cdp_exec_enter(cudaGraphExec_t handle, struct cdp_graph **graph) CDP_MUST_CHECK;
/* Before a change: waits until no pending launch refers to the graph. Before the next upload,
 * kernels launch the graph as it was. */
void cdp_exec_settle(cudaGraphExec_t handle);
/* A node that comes after others of the same graph. Takes over what the work owns, on success.
 * cudaErrorInvalidValue: a dependency is of another graph, or named twice. */
cudaError_t cdp_graph_add(struct cdp_graph *graph, struct cdp_node *const *deps, size_t dep_count,
                          const struct cdp_work *work, struct cdp_node **out);
void cdp_node_remove(struct cdp_node *node);
bool cdp_node_depends_on(const struct cdp_node *node, const struct cdp_node *other);
/* edge: what the program says about the dependency; NULL: it is an ordinary one. It has no effect
 * on the order. */
cudaError_t cdp_node_add_dependency(struct cdp_node *node, struct cdp_node *other,
                                    const cudaGraphEdgeData *edge);
bool cdp_edge_is_ordinary(const cudaGraphEdgeData *edge);
/* Whether all are; edges: NULL: they are. */
bool cdp_edges_are_ordinary(const cudaGraphEdgeData *edges, size_t count);
/* A program says something about the dependencies that it gives a new node. The first function is
 * called before the node is made: cudaErrorInvalidValue: a node of the type cannot have such a
 * dependency. It leaves wrong handles to the call that makes the node. The second one stores the
 * data in the node that was made with these dependencies. edges: NULL: there is no data. */
cudaError_t cdp_edges_check(const cudaGraphEdgeData *edges, const cudaGraphNode_t *deps,
                            size_t count, enum cudaGraphNodeType type) CDP_MUST_CHECK;
void cdp_edges_set(cudaGraphNode_t node, const cudaGraphEdgeData *edges, size_t count);
/* The same for one dependency of a captured node, of which the program has spoken before the node
 * was made. What a node of its type cannot have becomes an ordinary dependency. */
void cdp_node_fit_edge(struct cdp_node *node, size_t index, const cudaGraphEdgeData *edge);
void cdp_node_remove_dependency(struct cdp_node *node, const struct cdp_node *other);
/* Puts nodes in an order in which each comes after its dependencies. cudaErrorInvalidValue: there
 * is a cycle. out has graph->count entries. */
cudaError_t cdp_graph_sort(const struct cdp_graph *graph, struct cdp_node **out) CDP_MUST_CHECK;

static inline cudaGraph_t cdp_graph_handle(const struct cdp_graph *graph)
{
    return (cudaGraph_t)(void *)(uintptr_t)graph->handle;
}
static inline cudaGraphNode_t cdp_node_handle(const struct cdp_node *node)
{
    return (cudaGraphNode_t)(void *)(uintptr_t)node->handle;
}

/* ---- Work ---- */

/* Whether it is a memory node's. */
bool cdp_work_is_of_memory(const struct cdp_work *work);
/* Frees what the work owns. */
void cdp_work_free(struct cdp_work *work);
/* False: no memory. */
bool cdp_work_copy(const struct cdp_work *work, struct cdp_work *out);
/* From CUDA's parameters, with the errors of the calls that they describe. On success the caller
 * frees the work, or passes it to cdp_graph_add. like: with the node's attributes; NULL: it has
 * none yet. */
cudaError_t cdp_work_of_kernel(const struct cudaKernelNodeParams *params,
                               const struct cdp_work *like, const void *site, struct cdp_work *out);
cudaError_t cdp_work_of_copy(const struct cudaMemcpy3DParms *params, struct cdp_work *out);
cudaError_t cdp_work_of_set(const struct cudaMemsetParams *params, struct cdp_work *out);
cudaError_t cdp_work_of_host(const struct cudaHostNodeParams *params, struct cdp_work *out);
cudaError_t cdp_work_of_event(enum cudaGraphNodeType type, cudaEvent_t event, struct cdp_work *out);
/* Memory of a graph: api/graph_memory.h. */
cudaError_t cdp_work_of_alloc(size_t size, const void *site, struct cdp_work *out);
cudaError_t cdp_work_of_free(const void *address, struct cdp_work *out);
/* From captured calls, which have been checked. */
cudaError_t cdp_work_of_launch(const void *func, const struct cdp_launch *launch,
                               struct cdp_work *out);
void cdp_work_of_transfer(const struct cdp_transfer *transfer, struct cdp_work *out);
/* The description of a copy of bytes. */
struct cudaMemcpy3DParms cdp_flat_copy_params(void *dst, const void *src, size_t size,
                                              enum cudaMemcpyKind kind);
/* Replaces the work of a node by other work of its type. */
void cdp_node_set_work(struct cdp_node *node, struct cdp_work *work);
/* As cudaGraphKernelNodeGetParams, but also of a function that the driver API has loaded. */
cudaError_t cdp_node_kernel(cudaGraphNode_t node, struct cudaKernelNodeParams *params);
/* Queues the work in a stream. */
enum cdp_status cdp_work_submit(struct cdp_runtime *runtime, uint64_t stream,
                                const struct cdp_work *work) CDP_MUST_CHECK;

/* ---- New nodes ---- */

/* Where a program's call at site adds a node. */
struct cdp_node_order {
    cudaGraphNode_t *node;
    cudaGraph_t graph;
    const cudaGraphNode_t *deps;
    size_t dep_count;
    const void *site;
};
/* As cudaGraphAddKernelNode and cudaGraphAddMemAllocNode. They set the last error. */
cudaError_t cdp_graph_add_kernel(const struct cdp_node_order *order,
                                 const struct cudaKernelNodeParams *params);
cudaError_t cdp_graph_add_alloc(const struct cdp_node_order *order,
                                struct cudaMemAllocNodeParams *params);

/* ---- Objects of the program ---- */

/* References of the graph to the objects of another graph. False: no memory. */
bool cdp_graph_share_objects(struct cdp_graph *graph, const struct cdp_graph *from);
void cdp_graph_drop_objects(struct cdp_graph *graph);

#endif
