/* Which nodes of a graph dominate which. */
#ifndef CDPCC_SIMD_IR_DOMINATORS_H
#define CDPCC_SIMD_IR_DOMINATORS_H
#include <stdbool.h>

struct simd_graph;

/* Computes dominators, postdominators and the immediate ones. The graph must have its order. */
void simd_find_dominators(struct simd_graph *graph);

/* Each node dominates and postdominates itself. Both nodes must be in the graph. */
bool simd_dominates(const struct simd_graph *graph, unsigned by, unsigned node);

bool simd_postdominates(const struct simd_graph *graph, unsigned by, unsigned node);

#endif
