/* Which nodes lanes reach from a node, and where diverged lanes reconverge.
 *
 * The question is where lanes that take different edges of a branch meet again, within one
 * iteration of a loop. In the literature that is the reconvergence point, the immediate
 * postdominator in the simple case. A loop's next iteration, an end and a barrier need care, so
 * this uses the sets of nodes that a node reaches. */
#include "simd/ir/reconvergence.h"

#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "support/arena.h"

bool *simd_graph_reach(const struct simd_graph *graph, unsigned from, int stop)
{
    size_t nodes = graph->node_count, depth = 0;
    bool *seen = arena_alloc((nodes + 1) * sizeof *seen);
    unsigned *stack = arena_alloc((nodes + 1) * sizeof *stack);
    if ((int)from == stop) {
        return seen;
    }
    seen[from] = true;
    stack[depth++] = from;
    while (depth > 0) {
        unsigned next[SIMD_NEXT], which[SIMD_NEXT];
        unsigned count = simd_graph_next(graph, stack[--depth], next, which);
        for (unsigned i = 0; i < count; i++) {
            if ((int)next[i] != stop && !seen[next[i]]) {
                seen[next[i]] = true;
                stack[depth++] = next[i];
            }
        }
    }
    return seen;
}

/* ---- where diverged lanes reconverge ---- */

/* The headers of the loop and of its enclosing loops end an iteration. */
static bool ends_iteration(const struct simd_graph *graph, int loop, unsigned node)
{
    while (loop >= 0) {
        if (graph->loops[loop].header == node) {
            return true;
        }
        loop = graph->loops[loop].parent;
    }
    return false;
}

struct simd_reach simd_graph_reach_in_iteration(const struct simd_graph *graph, unsigned from,
                                                int stop, int loop)
{
    size_t nodes = graph->node_count, depth = 0;
    struct simd_reach reach = {.nodes = arena_alloc((nodes + 1) * sizeof(bool))};
    unsigned *stack = arena_alloc((nodes + 1) * 2 * sizeof *stack);
    stack[depth++] = from;
    while (depth > 0) {
        unsigned next[SIMD_NEXT], which[SIMD_NEXT], at = stack[--depth];
        if ((int)at == stop || reach.nodes[at]) {
            continue;
        }
        if (ends_iteration(graph, loop, at)) {
            bool is_own = graph->loops[loop].header == at;
            reach.iterates |= is_own;
            reach.ends |= !is_own;
            reach.lasts |= !is_own;
            continue;
        }
        if (graph->finished != NULL && graph->finished[at]) {
            reach.ends = true;
            continue;
        }
        reach.nodes[at] = true;
        unsigned count = simd_graph_next(graph, at, next, which);
        reach.ends |= count == 0;
        reach.lasts |= count == 0 && simd_node(graph->kernel, at)->end == END_BARRIER;
        for (unsigned i = 0; i < count; i++) {
            if (!reach.nodes[next[i]]) {
                stack[depth++] = next[i];
            }
        }
    }
    return reach;
}

/* Lanes from all edges of the node reach stop before the iteration ends. */
static bool all_reach(const struct simd_graph *graph, unsigned node, int stop, int loop)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    unsigned count = simd_graph_next(graph, node, next, which);
    for (unsigned i = 0; i < count; i++) {
        struct simd_reach reach = simd_graph_reach_in_iteration(graph, next[i], stop, loop);
        if (reach.ends || reach.iterates) {
            return false;
        }
    }
    return count != 0;
}

int simd_graph_reconvergence(const struct simd_graph *graph, unsigned node, int loop)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    for (size_t i = (size_t)graph->position[node] + 1; i < graph->count; i++) {
        if (all_reach(graph, node, (int)graph->order[i], loop)) {
            return (int)graph->order[i];
        }
    }
    unsigned count = simd_graph_next(graph, node, next, which);
    for (unsigned i = 0; i < count; i++) {
        if (simd_graph_reach_in_iteration(graph, next[i], -1, loop).ends) {
            return SIMD_NO_RECONVERGENCE;
        }
    }
    return loop >= 0 ? SIMD_NEXT_ITERATION : SIMD_NO_RECONVERGENCE;
}

bool simd_graph_always_reaches(const struct simd_graph *graph, unsigned node, unsigned to, int loop)
{
    return all_reach(graph, node, (int)to, loop);
}

bool simd_graph_exits_diverge(const struct simd_graph *graph, unsigned node, int loop)
{
    int reconvergence = simd_graph_reconvergence(graph, node, loop);
    return reconvergence == SIMD_NO_RECONVERGENCE ||
           (reconvergence >= 0 && !graph->loops[loop].inside[reconvergence]);
}

/* Solved for all nodes at once, backwards from the ends. */
const bool *simd_graph_escapes(const struct simd_graph *graph, unsigned to, int loop)
{
    bool *escapes = arena_alloc((graph->node_count + 1) * sizeof *escapes);
    bool again;
    do {
        again = false;
        for (size_t i = graph->count; i-- > 0;) {
            unsigned next[SIMD_NEXT], which[SIMD_NEXT], at = graph->order[i];
            unsigned count = simd_graph_next(graph, at, next, which);
            bool found = count == 0;
            for (unsigned j = 0; j < count; j++) {
                found |=
                    next[j] != to && (ends_iteration(graph, loop, next[j]) || escapes[next[j]]);
            }
            if (at != to && found && !escapes[at]) {
                escapes[at] = again = true;
            }
        }
    } while (again);
    return escapes;
}
