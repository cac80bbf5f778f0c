/* Conditional nodes of graphs (CUDA's guide, "Conditional Graph Nodes").
 *
 * A condition is a value that kernels set by its handle. A conditional node has bodies, which are
 * graphs, and runs one of them, or none, as the value says. CUDA allows one executable graph at a
 * time of a graph with conditional nodes, and no copies by the program. So a condition has one
 * value.
 */
#ifndef CDP_API_GRAPH_CONDITION_H
#define CDP_API_GRAPH_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"

struct cdp_condition;
struct cdp_conditional_run;
struct cdp_graph;
struct cdp_runtime;
struct cdp_work;

/* What a conditional node does. Owned by its work. */
struct cdp_conditional {
    struct cdp_condition *condition; /* counted */
    enum cudaGraphConditionalNodeType type;
    unsigned size;                   /* number of bodies */
    struct cdp_graph **bodies;       /* owned, with the graphs */
    cudaGraph_t *handles;            /* owned: of the bodies, for the program */
    struct cdp_conditional_run *run; /* owned; of an executable graph, else NULL */
};

/* From CUDA's parameters, for a node of the graph: a work with empty bodies. */
cudaError_t cdp_work_of_conditional(const struct cdp_graph *graph,
                                    const struct cudaConditionalNodeParams *params,
                                    struct cdp_work *out);
void cdp_conditional_free(struct cdp_conditional *conditional);
/* NULL if there is no memory. */
struct cdp_conditional *cdp_conditional_copy(const struct cdp_conditional *conditional);
/* Exchanges the conditions of two nodes. */
void cdp_conditional_swap(struct cdp_conditional *a, struct cdp_conditional *b);
/* For an executable graph: makes the plans of the bodies. cdp_conditional_free ends them. */
cudaError_t cdp_conditional_plan(struct cdp_runtime *runtime, struct cdp_conditional *conditional);
/* Queues it: the stream goes on when the node's last body is complete. It must have plans, and stay
 * as it is until then. */
enum cdp_status cdp_conditional_queue(struct cdp_conditional *conditional,
                                      uint64_t stream) CDP_MUST_CHECK;

/* Whether the graph has conditional nodes. Its child graphs have none. */
bool cdp_graph_has_conditions(const struct cdp_graph *graph);
/* Whether each condition that was made for the graph, or for a body in it, has a node. */
bool cdp_graph_uses_conditions(const struct cdp_graph *graph);
/* Whether its bodies have only nodes that may be there: no host functions, events and memory. */
bool cdp_graph_bodies_may_run(const struct cdp_graph *graph);
/* The graphs that the work owns are within that one. */
void cdp_work_set_outer(const struct cdp_work *work, struct cdp_graph *outer);
void cdp_graph_drop_conditions(struct cdp_graph *graph);
/* Queues: the conditions of the graph's nodes get their default values, as far as they have some.
 * The graph must stay as it is until then. */
enum cdp_status cdp_conditions_queue_reset(struct cdp_runtime *runtime, uint64_t stream,
                                           const struct cdp_graph *graph) CDP_MUST_CHECK;
/* Sets the value of a handle; false: no executable graph has such a condition. Any thread may call
 * it. */
bool cdp_condition_set(cudaGraphConditionalHandle handle, unsigned value) CDP_MUST_CHECK;

#endif
