/* Builds a graph, with its order, dominators and loops. */
#ifndef CDPCC_SIMD_IR_GRAPH_BUILD_H
#define CDPCC_SIMD_IR_GRAPH_BUILD_H
#include <stdbool.h>

struct simd_graph;
struct simd_kernel;

/* `cut` has, by node, the edge to leave out or -1; NULL: none. It must live as long as the graph.
 * Check is_irreducible and is_endless before relying on loops or postdominators. */
struct simd_graph *simd_graph_build(const struct simd_kernel *kernel, unsigned entry,
                                    bool passes_barriers, const signed char *cut);

#endif
