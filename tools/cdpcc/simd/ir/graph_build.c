/* Builds a graph.  It is built anew for each entry and each choice of cut edges, and never changes
 * afterwards. */
#include "simd/ir/graph_build.h"

#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/natural_loops.h"
#include "support/arena.h"

/* A depth-first search: the nodes seen, and those finished in postorder. */
struct walk {
    bool *seen;
    unsigned *postorder;
    size_t count;
};

/* Depth-first search.  It has an explicit stack, as generated code can be deeply nested. */
static void walk_from(const struct simd_graph *graph, struct walk *walk)
{
    size_t nodes = simd_node_count(graph->kernel), depth = 1;
    unsigned *stack = arena_alloc((nodes + 1) * sizeof *stack);
    unsigned *position = arena_alloc((nodes + 1) * sizeof *position);
    stack[0] = graph->entry;
    walk->seen[graph->entry] = true;
    while (depth > 0) {
        unsigned next[SIMD_NEXT], which[SIMD_NEXT], at = stack[depth - 1];
        unsigned count = simd_graph_next(graph, at, next, which);
        if (position[depth - 1] == count) {
            walk->postorder[walk->count++] = at;
            depth--;
            continue;
        }
        /* The last edge is visited first, so that the code after a loop comes after the loop in
         * reverse postorder. */
        unsigned to = next[count - 1 - position[depth - 1]++];
        if (!walk->seen[to]) {
            walk->seen[to] = true;
            stack[depth] = to;
            position[depth++] = 0;
        }
    }
}

/* Nodes in reverse postorder of a depth-first search: a node comes before those it leads to, apart
 * from back edges, and a loop comes before the code after it. */
static void make_order(struct simd_graph *graph)
{
    size_t nodes = simd_node_count(graph->kernel);
    struct walk walk = {
        .seen = arena_alloc(nodes * sizeof(bool)),
        .postorder = arena_alloc(nodes * sizeof(unsigned)),
    };
    walk_from(graph, &walk);
    graph->count = walk.count;
    graph->order = arena_alloc((nodes + 1) * sizeof *graph->order);
    graph->position = arena_alloc((nodes + 1) * sizeof *graph->position);
    for (size_t i = 0; i < nodes; i++) {
        graph->position[i] = -1;
    }
    for (size_t i = 0; i < walk.count; i++) {
        graph->order[i] = walk.postorder[walk.count - 1 - i];
        graph->position[graph->order[i]] = (int)i;
    }
}

/* True if each node reaches some end. An endless loop has no useful postdominators. */
static bool all_end(const struct simd_graph *graph)
{
    size_t nodes = simd_node_count(graph->kernel);
    bool *ends = arena_alloc(nodes * sizeof *ends), changed = true;
    size_t found = 0;
    while (changed) {
        changed = false;
        for (size_t i = graph->count; i-- > 0;) {
            unsigned next[SIMD_NEXT], which[SIMD_NEXT], at = graph->order[i];
            unsigned count = simd_graph_next(graph, at, next, which);
            bool reaches = count == 0;
            for (unsigned j = 0; j < count; j++) {
                reaches |= ends[next[j]];
            }
            if (reaches && !ends[at]) {
                ends[at] = changed = true;
                found++;
            }
        }
    }
    return found == graph->count;
}

/* All is allocated in the arena. */
struct simd_graph *simd_graph_build(const struct simd_kernel *kernel, unsigned entry,
                                    bool passes_barriers, const signed char *cut)
{
    struct simd_graph *graph = arena_alloc(sizeof *graph);
    *graph = (struct simd_graph){.kernel = kernel,
                                 .node_count = simd_node_count(kernel),
                                 .entry = entry,
                                 .passes_barriers = passes_barriers,
                                 .cut = cut};
    make_order(graph);
    simd_find_dominators(graph);
    graph->is_endless = !all_end(graph);
    simd_find_loops(graph);
    return graph;
}
