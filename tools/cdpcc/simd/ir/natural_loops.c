/* The natural loops of a graph.
 *
 * An edge back to a dominator is a back edge; the loop is what reaches it without passing the
 * header.  Loops with one header are one loop.  An edge back to a node that is no dominator makes
 * the graph irreducible. */
#include "simd/ir/natural_loops.h"

#include "ir/value.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "support/arena.h"

bool simd_in_loop(const struct simd_graph *graph, int loop, unsigned node)
{
    return loop < 0 || graph->loops[loop].inside[node];
}

/* Creates the loop of the header, if there is none yet. */
static struct simd_loop *loop_at(struct simd_graph *graph, unsigned header)
{
    for (size_t i = 0; i < graph->loop_count; i++) {
        if (graph->loops[i].header == header) {
            return &graph->loops[i];
        }
    }
    struct simd_loop loop = {
        .header = header,
        .parent = -1,
        .inside = arena_alloc(graph->node_count * sizeof(bool)),
    };
    loop.inside[header] = true;
    LOWER_PUSH(graph->loops, graph->loop_count, loop);
    return &graph->loops[graph->loop_count - 1];
}

/* Adds the predecessors of the loop's nodes until nothing is new.
 * Only nodes that the header dominates can belong to it. */
static void grow_loop(const struct simd_graph *graph, struct simd_loop *loop, unsigned latch)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    loop->inside[latch] = true;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = graph->count; i-- > 0;) {
            unsigned at = graph->order[i];
            if (loop->inside[at] || !simd_dominates(graph, loop->header, at)) {
                continue;
            }
            unsigned count = simd_graph_next(graph, at, next, which);
            for (unsigned j = 0; j < count; j++) {
                if (loop->inside[next[j]] && next[j] != loop->header) {
                    loop->inside[at] = changed = true;
                }
            }
        }
    }
}

/* Stops where the graph turns out to be irreducible. */
static void find_back_edges(struct simd_graph *graph)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    for (size_t i = 0; i < graph->count; i++) {
        unsigned at = graph->order[i], count = simd_graph_next(graph, at, next, which);
        for (unsigned j = 0; j < count; j++) {
            if (graph->position[next[j]] > (int)i) {
                continue;
            }
            if (!simd_dominates(graph, next[j], at)) {
                graph->is_irreducible = true;
                return;
            }
            grow_loop(graph, loop_at(graph, next[j]), at);
        }
    }
}

/* The parent is the innermost loop around it that has another header. */
static void nest_loop(struct simd_graph *graph, size_t loop)
{
    struct simd_loop *inner = &graph->loops[loop];
    for (size_t i = 0; i < graph->loop_count; i++) {
        const struct simd_loop *outer = &graph->loops[i];
        if (i == loop || !outer->inside[inner->header]) {
            continue;
        }
        inner->depth++;
        if (inner->parent < 0 || graph->loops[inner->parent].inside[outer->header]) {
            inner->parent = (int)i;
        }
    }
}

/* The deepest loop that contains the node. */
static void assign_loops(struct simd_graph *graph)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        graph->loop_of[i] = -1;
        for (size_t l = 0; l < graph->loop_count; l++) {
            int best = graph->loop_of[i];
            if (graph->loops[l].inside[i] &&
                (best < 0 || graph->loops[l].depth > graph->loops[best].depth)) {
                graph->loop_of[i] = (int)l;
            }
        }
    }
}

void simd_find_loops(struct simd_graph *graph)
{
    graph->loop_of = arena_alloc((graph->node_count + 1) * sizeof(int));
    find_back_edges(graph);
    for (size_t i = 0; i < graph->loop_count; i++) {
        nest_loop(graph, i);
    }
    assign_loops(graph);
}

bool simd_is_innermost(const struct simd_graph *graph, int loop)
{
    for (size_t i = 0; i < graph->loop_count; i++) {
        if (graph->loops[i].parent == loop) {
            return false;
        }
    }
    return true;
}
