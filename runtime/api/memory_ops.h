/* Stream memory operations of the driver API, in a stream, a capture or a node of a graph. */
#ifndef CDP_API_MEMORY_OPS_H
#define CDP_API_MEMORY_OPS_H

#include <stddef.h>

#include "driver_types.h"

#include "api/graph.h"
#include "base/attr.h"
#include "base/status.h"
#include "stream/memory_op.h"

/* The type of such nodes. The runtime API has no name for it. */
#define CDP_NODE_MEMORY_OPS ((enum cudaGraphNodeType)12)

enum { CDP_MOST_MEMORY_OPS = 255 };

/* A batch of operations, in their order. Life: counted. Const. */
struct cdp_memory_ops {
    _Atomic unsigned references;
    unsigned count;
    size_t params_size;
    void *params; /* as the program describes them; after ops */
    struct cdp_memory_op ops[];
};

/* What a program's call describes. */
struct cdp_memory_ops_order {
    const struct cdp_memory_op *ops;
    unsigned count;
    const void *params; /* as the program describes them */
    size_t params_size;
};

/* Queues the operations, or captures them. cudaErrorInvalidValue: an address is not aligned, or it
 * is not memory that a device may access, or it is managed memory. Sets the last error. */
cudaError_t cdp_memory_ops_submit(cudaStream_t stream, const struct cdp_memory_ops_order *order);

/* The work of a node, with the same errors. */
cudaError_t cdp_work_of_memory_ops(const struct cdp_memory_ops_order *order, struct cdp_work *out);
void cdp_memory_ops_retain(struct cdp_memory_ops *ops);
void cdp_memory_ops_release(struct cdp_memory_ops *ops);
enum cdp_status cdp_memory_ops_queue(struct cdp_runtime *runtime, uint64_t stream,
                                     const struct cdp_memory_ops *ops) CDP_MUST_CHECK;

/* Nodes: as the calls of the driver API with these names. They set the last error. */
cudaError_t cdp_graph_add_memory_ops(const struct cdp_node_order *order,
                                     const struct cdp_memory_ops_order *ops);
cudaError_t cdp_node_memory_ops(cudaGraphNode_t node, const struct cdp_memory_ops **out);
cudaError_t cdp_node_set_memory_ops(cudaGraphNode_t node, const struct cdp_memory_ops_order *ops);
cudaError_t cdp_exec_set_memory_ops(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const struct cdp_memory_ops_order *ops);
/* Whether an executable graph can get the second batch in place of the first: the same operations
 * with other addresses, values and flags. */
bool cdp_memory_ops_are_alike(const struct cdp_memory_ops *a, const struct cdp_memory_ops *b);

#endif
