/* Graphs of nodes: the part of a kernel that control reaches from a node. */
#ifndef CDPCC_SIMD_IR_GRAPH_H
#define CDPCC_SIMD_IR_GRAPH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simd_kernel;
struct simd_loop;

enum { SIMD_NEXT = 2 }; /* edges that leave a node, at most */

/* The nodes that can be reached from the entry without passing a barrier, or all of them if the
 * graph passes barriers.
 *
 * Life: built by simd_graph_build(), in the arena; does not change afterwards. */
struct simd_graph {
    const struct simd_kernel *kernel;
    size_t node_count; /* of the kernel: the length of arrays by node */
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

/* The edges that leave the node in this graph: their targets, and their numbers in the node.
 * Returns how many there are, at most SIMD_NEXT; both arrays have that many elements. */
unsigned simd_graph_next(const struct simd_graph *graph, unsigned node, unsigned *next,
                         unsigned *which);
/* The number of edges of this graph that lead to the node. */
unsigned simd_edges_to(const struct simd_graph *graph, unsigned node);

#endif
