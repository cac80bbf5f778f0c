/* Memory that graphs allocate and free (CUDA's guide, "Graph Memory Nodes").
 *
 * The memory is allocated when its node is made, and has one address from then on. It is given back
 * when no graph has the node any more. Between, nodes and calls only change whether the program may
 * use it. */
#ifndef CDP_API_GRAPH_MEMORY_H
#define CDP_API_GRAPH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"

#include "base/attr.h"

struct cdp_graph;
struct cdp_graph_memory;
struct cdp_runtime;

void *cdp_graph_memory_address(const struct cdp_graph_memory *memory);
size_t cdp_graph_memory_size(const struct cdp_graph_memory *memory);
void cdp_graph_memory_retain(struct cdp_graph_memory *memory);
/* The last reference gives the memory back. */
void cdp_graph_memory_release(struct cdp_graph_memory *memory);

/* A node of the graph allocates or frees the memory. The graph of the first one that allocates it
 * is the memory's own. */
void cdp_graph_memory_note_node(struct cdp_graph_memory *memory, enum cudaGraphNodeType type,
                                const struct cdp_graph *graph);

/* For cudaFree and cudaFreeAsync. Whether the memory is a graph's. */
bool cdp_graph_memory_owns(const void *address);
/* The memory of a graph is free again, and stays the graph's. False: no launch has allocated it
 * since it was last free. */
bool cdp_graph_memory_free(const void *address) CDP_MUST_CHECK;

/* The launch of a graph, in which the nodes take effect. cudaErrorInvalidValue: memory of an
 * earlier launch is not free, and the graph does not free it by itself. */
cudaError_t cdp_graph_memory_launch(const struct cdp_graph *graph, bool frees_itself);
/* Whether the graph has such nodes. Its child graphs have none. */
bool cdp_graph_has_memory(const struct cdp_graph *graph);
/* Whether one of its nodes frees the memory. */
bool cdp_graph_frees(const struct cdp_graph *graph, const void *address);

#endif
