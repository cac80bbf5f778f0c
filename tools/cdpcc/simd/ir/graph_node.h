/* The kernel of a graph, and the nodes of the graph. */
#ifndef CDPCC_SIMD_IR_GRAPH_NODE_H
#define CDPCC_SIMD_IR_GRAPH_NODE_H
#include <stdbool.h>

struct simd_graph;
struct simd_kernel;

const struct simd_kernel *simd_kernel_of(const struct simd_graph *graph);
/* False for -1, which is no node.  A node's number may be an int or an unsigned. */
bool simd_has_node(const struct simd_graph *graph, long node);
/* The innermost loop with the node; -1: none. */
int simd_loop_of(const struct simd_graph *graph, long node);

#endif
