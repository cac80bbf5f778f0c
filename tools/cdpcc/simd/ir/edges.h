/* Lists of a graph's edges. */
#ifndef CDPCC_SIMD_IR_EDGES_H
#define CDPCC_SIMD_IR_EDGES_H
#include <stdbool.h>
#include <stddef.h>

struct simd_graph;

struct simd_edges {
    struct simd_edge_name {
        unsigned node, which, to; /* the node's way out of that number leads to the other node */
    } *items;
    size_t count;
};

void simd_push_edge(struct simd_edges *edges, unsigned node, unsigned which, unsigned to);
/* From inside the set of nodes to outside of it. */
struct simd_edges simd_edges_leaving(const struct simd_graph *graph, const bool *set);
/* To the node: from inside or from outside of a set; from anywhere if it is NULL. */
struct simd_edges simd_edges_into(const struct simd_graph *graph, unsigned node, const bool *set,
                                  bool from_inside);

#endif
