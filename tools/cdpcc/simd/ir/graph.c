/* The edges of a graph, and the order in which passes visit its nodes.
 *
 * The graph of a region is the part of the kernel between barriers; the graph of the whole kernel
 * passes them. A graph may also leave out an edge of some branches (plan/all_active.c). */
#include "simd/ir/graph.h"

#include "simd/ir/graph_node.h"
#include "simd/ir/node.h"

_Static_assert(sizeof((struct simd_node *)0)->next == SIMD_NEXT * sizeof(unsigned),
               "a node has SIMD_NEXT edges at most");

/* A barrier ends a region's graph. */
unsigned simd_graph_next(const struct simd_graph *graph, unsigned node, unsigned *next,
                         unsigned *which)
{
    const struct simd_node *at = simd_node(graph->kernel, node);
    unsigned count = 0;
    if (at->end == END_BARRIER && !graph->passes_barriers) {
        return 0;
    }
    for (unsigned i = 0; i < at->next_count; i++) {
        if (graph->cut == NULL || graph->cut[node] != (int)i) {
            next[count] = at->next[i];
            which[count++] = i;
        }
    }
    return count;
}

unsigned simd_edges_to(const struct simd_graph *graph, unsigned node)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT], edges = 0;
    for (size_t i = 0; i < graph->count; i++) {
        unsigned count = simd_graph_next(graph, graph->order[i], next, which);
        for (unsigned j = 0; j < count; j++) {
            edges += next[j] == node;
        }
    }
    return edges;
}

const struct simd_kernel *simd_kernel_of(const struct simd_graph *graph)
{
    return graph->kernel;
}

bool simd_has_node(const struct simd_graph *graph, long node)
{
    return node >= 0 && graph->position[node] >= 0;
}

int simd_loop_of(const struct simd_graph *graph, long node)
{
    return graph->loop_of[node];
}
