/* Lists of a graph's edges. */
#ifndef CDPCC_SIMD_IR_EDGES_H
#define CDPCC_SIMD_IR_EDGES_H
#include <stdbool.h>
#include <stddef.h>

struct simd_graph;

/* A list of edges, in the arena. */
struct simd_edges {
    struct simd_edge_name {
        unsigned node, which, to; /* the outgoing edge number `which` of the node leads to `to` */
    } *items;
    size_t count;
};

/* Appends to the list. */
void simd_push_edge(struct simd_edges *edges, unsigned node, unsigned which, unsigned to);
/* Edges from a node of the set to a node outside of it.
 * Both lists are in the order of the graph's nodes. Edges that the graph leaves out are not in
 * them. */
struct simd_edges simd_edges_leaving(const struct simd_graph *graph, const bool *set);
/* Edges to the node.  They start inside or outside of the set, or anywhere if the set is NULL. */
struct simd_edges simd_edges_into(const struct simd_graph *graph, unsigned node, const bool *set,
                                  bool from_inside);

#endif
