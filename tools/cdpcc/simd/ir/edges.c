/* Lists of a graph's edges.
 *
 * A graph has no lists of predecessors. Edges into a node are found by a pass over all nodes,
 * which is fast enough for graphs of at most SIMD_MOST_NODES nodes. */
#include "simd/ir/edges.h"

#include "ir/value.h"
#include "simd/ir/graph.h"

void simd_push_edge(struct simd_edges *edges, unsigned node, unsigned which, unsigned to)
{
    struct simd_edge_name name = {.node = node, .which = which, .to = to};
    LOWER_PUSH(edges->items, edges->count, name);
}

struct simd_edges simd_edges_leaving(const struct simd_graph *graph, const bool *set)
{
    struct simd_edges found = {0};
    for (size_t i = 0; i < graph->count; i++) {
        unsigned next[SIMD_NEXT], which[SIMD_NEXT], at = graph->order[i];
        unsigned count = set[at] ? simd_graph_next(graph, at, next, which) : 0;
        for (unsigned j = 0; j < count; j++) {
            if (!set[next[j]]) {
                simd_push_edge(&found, at, which[j], next[j]);
            }
        }
    }
    return found;
}

struct simd_edges simd_edges_into(const struct simd_graph *graph, unsigned node, const bool *set,
                                  bool from_inside)
{
    struct simd_edges found = {0};
    for (size_t i = 0; i < graph->count; i++) {
        unsigned next[SIMD_NEXT], which[SIMD_NEXT], at = graph->order[i];
        unsigned count = simd_graph_next(graph, at, next, which);
        for (unsigned j = 0; j < count; j++) {
            bool counts = set == NULL || set[at] == from_inside;
            if (next[j] == node && counts) {
                simd_push_edge(&found, at, which[j], node);
            }
        }
    }
    return found;
}
