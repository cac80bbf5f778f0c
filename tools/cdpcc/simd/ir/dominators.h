/* Graphs of nodes: their order, their dominators and their loops. */
#ifndef CDPCC_SIMD_IR_DOMINATORS_H
#define CDPCC_SIMD_IR_DOMINATORS_H
#include "simd/ir/kernel.h"

/* A natural loop of a graph: its header dominates the nodes inside, unless the graph is
 * irreducible. */
struct simd_loop {
    unsigned header;
    int parent; /* -1 = none */
    unsigned depth;
    bool *inside; /* by node: it belongs to the loop */
};

/* The nodes that can be reached from the entry without passing a barrier, or all of them if the
 * graph passes barriers.
 *
 * Life: built by simd_graph_build(), in the arena; does not change afterwards. */
struct simd_graph {
    const struct simd_kernel *kernel;
    unsigned entry;
    bool passes_barriers;   /* the graph is that of the whole kernel */
    const signed char *cut; /* by node: the outgoing edge that is left out, or -1; may be NULL */
    unsigned *order;        /* reverse postorder */
    size_t count;
    int *position;        /* by node: its index in `order`; -1: not in the graph */
    const bool *finished; /* by node: it is handled like an end; may be NULL */
    size_t words;
    uint64_t *dominators, *postdominators; /* bit sets by node */
    int *idom, *ipdom;                     /* by node; -1: none */
    struct simd_loop *loops;
    size_t loop_count;
    int *loop_of; /* innermost loop by node; -1: none */
    bool is_irreducible, is_endless;
};

/* `cut` has, by node, the edge to leave out or -1; NULL: none. It must live as long as the graph.
 * Check is_irreducible and is_endless before relying on loops or postdominators. */
struct simd_graph *simd_graph_build(const struct simd_kernel *kernel, unsigned entry,
                                    bool passes_barriers, const signed char *cut);

/* The edges that leave the node in this graph: their targets, and their numbers in the node.
 * Returns how many there are, at most SIMD_NEXT. */
unsigned simd_graph_next(const struct simd_graph *graph, unsigned node, unsigned next[SIMD_NEXT],
                         unsigned which[SIMD_NEXT]);

/* Each node dominates and postdominates itself. Both nodes must be in the graph. */
bool simd_dominates(const struct simd_graph *graph, unsigned by, unsigned node);

bool simd_postdominates(const struct simd_graph *graph, unsigned by, unsigned node);

/* A loop of -1 is the whole graph. */
bool simd_in_loop(const struct simd_graph *graph, int loop, unsigned node);

#endif
