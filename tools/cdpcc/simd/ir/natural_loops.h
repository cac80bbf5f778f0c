/* The natural loops of a graph. */
#ifndef CDPCC_SIMD_IR_NATURAL_LOOPS_H
#define CDPCC_SIMD_IR_NATURAL_LOOPS_H
#include <stdbool.h>

struct simd_graph;

/* A natural loop of a graph: its header dominates the nodes inside, unless the graph is
 * irreducible. */
struct simd_loop {
    unsigned header;
    int parent; /* -1 = none */
    unsigned depth;
    bool *inside; /* by node: it belongs to the loop */
};

/* Finds the loops and how they nest, or that the graph is irreducible.
 * The graph must have its order and dominators. */
void simd_find_loops(struct simd_graph *graph);

/* A loop of -1 is the whole graph. */
bool simd_in_loop(const struct simd_graph *graph, int loop, unsigned node);
/* No other loop is inside it. */
bool simd_is_innermost(const struct simd_graph *graph, int loop);

#endif
