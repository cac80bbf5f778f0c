/* Dominators and loops of the nodes that one region reaches.  Kernels are small, so bit sets and
 * simple fixed points are fast enough.
 *
 * The graph of a region is the part of the kernel between barriers; the graph of the whole kernel
 * passes them. A graph may also leave out an edge of some branches (plan/all_active.c). It is
 * built anew for each such choice, and never changes.
 *
 *     order         reverse postorder of a depth-first search: a node comes before those it leads
 *                   to, apart from back edges, and a loop comes before the code after it
 *     dominators    the greatest fixed point of: dom(n) = {n} + the intersection over predecessors
 *     loops         an edge back to a dominator is a back edge; the loop is what reaches it without
 *                   passing the header. Loops with one header are one loop
 *     irreducible   an edge back to a node that is no dominator
 *
 * Cost: with N nodes, each pass over the sets takes N * N / 64 words, and two or three passes
 * suffice in reducible graphs. N is at most SIMD_MOST_NODES.
 *
 * Where lanes that take different edges of a branch meet again is in ir/reconvergence.c. */
#include "simd/ir/dominators.h"

#include "ir/value.h"
#include "simd/ir/kernel.h"
#include "support/arena.h"

/* A barrier ends a region's graph. */
unsigned simd_graph_next(const struct simd_graph *graph, unsigned node, unsigned next[SIMD_NEXT],
                         unsigned which[SIMD_NEXT])
{
    const struct simd_node *at = &graph->kernel->nodes[node];
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

/* A depth-first search: the nodes seen, and those finished in postorder. */
struct walk {
    bool *seen;
    unsigned *postorder;
    size_t count;
};

/* Depth-first search.  It has an explicit stack, as generated code can be deeply nested. */
static void walk_from(const struct simd_graph *graph, struct walk *walk)
{
    size_t nodes = graph->kernel->node_count, depth = 1;
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

static void make_order(struct simd_graph *graph)
{
    size_t nodes = graph->kernel->node_count;
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

/* Sets are rows of `words` words, one row for each node. */
static bool has_bit(const struct simd_graph *graph, const uint64_t *sets, unsigned node,
                    unsigned bit)
{
    return (sets[node * graph->words + bit / 64] >> bit % 64 & 1) != 0;
}

/* The fixed points start with all nodes in each set. */
static void fill(struct simd_graph *graph, uint64_t *sets)
{
    for (size_t i = 0; i < graph->count; i++) {
        for (size_t w = 0; w < graph->words; w++) {
            sets[graph->order[i] * graph->words + w] = UINT64_MAX;
        }
    }
}

static void set_only(struct simd_graph *graph, uint64_t *sets, unsigned node)
{
    for (size_t w = 0; w < graph->words; w++) {
        sets[node * graph->words + w] = 0;
    }
    sets[node * graph->words + node / 64] = UINT64_C(1) << node % 64;
}

/* Intersects to's set with from's, and adds to itself. */
static bool intersect(struct simd_graph *graph, uint64_t *sets, unsigned to, unsigned from)
{
    bool changed = false;
    for (size_t w = 0; w < graph->words; w++) {
        uint64_t old = sets[to * graph->words + w];
        uint64_t own = w == to / 64 ? UINT64_C(1) << to % 64 : 0;
        uint64_t now = old & (sets[from * graph->words + w] | own);
        changed |= now != old;
        sets[to * graph->words + w] = now;
    }
    return changed;
}

static void find_dominators(struct simd_graph *graph)
{
    fill(graph, graph->dominators);
    set_only(graph, graph->dominators, graph->entry);
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < graph->count; i++) {
            unsigned next[SIMD_NEXT], which[SIMD_NEXT], at = graph->order[i];
            unsigned count = simd_graph_next(graph, at, next, which);
            for (unsigned j = 0; j < count; j++) {
                if (next[j] != graph->entry) {
                    changed |= intersect(graph, graph->dominators, next[j], at);
                }
            }
        }
    }
}

/* The same on reversed edges; each end is postdominated by itself alone. */
static void find_postdominators(struct simd_graph *graph)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    fill(graph, graph->postdominators);
    for (size_t i = 0; i < graph->count; i++) {
        if (simd_graph_next(graph, graph->order[i], next, which) == 0) {
            set_only(graph, graph->postdominators, graph->order[i]);
        }
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = graph->count; i-- > 0;) {
            unsigned at = graph->order[i];
            unsigned count = simd_graph_next(graph, at, next, which);
            for (unsigned j = 0; j < count; j++) {
                changed |= intersect(graph, graph->postdominators, at, next[j]);
            }
        }
    }
}

/* True if each node reaches some end. An endless loop has no useful postdominators. */
static bool all_end(const struct simd_graph *graph)
{
    size_t nodes = graph->kernel->node_count;
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

/* The strict dominator that all other strict dominators dominate; -1 if there is none.
 * Strict dominators of a node form a chain, so the search keeps the last one of it. */
static int immediate(const struct simd_graph *graph, const uint64_t *sets, unsigned node)
{
    int best = -1;
    for (size_t i = 0; i < graph->count; i++) {
        unsigned by = graph->order[i];
        if (by == node || !has_bit(graph, sets, node, by)) {
            continue;
        }
        if (best < 0 || has_bit(graph, sets, by, (unsigned)best)) {
            best = (int)by;
        }
    }
    return best;
}

bool simd_dominates(const struct simd_graph *graph, unsigned by, unsigned node)
{
    return has_bit(graph, graph->dominators, node, by);
}

/* A node that cannot reach an end is postdominated by everything in these sets, so "by" must reach
 * one. */
bool simd_postdominates(const struct simd_graph *graph, unsigned by, unsigned node)
{
    return has_bit(graph, graph->postdominators, node, by);
}

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
        .inside = arena_alloc(graph->kernel->node_count * sizeof(bool)),
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

static void find_loops(struct simd_graph *graph)
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
    for (size_t i = 0; i < graph->kernel->node_count; i++) {
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

/* All is allocated in the arena. */
struct simd_graph *simd_graph_build(const struct simd_kernel *kernel, unsigned entry,
                                    bool passes_barriers, const signed char *cut)
{
    struct simd_graph *graph = arena_alloc(sizeof *graph);
    size_t nodes = kernel->node_count;
    *graph = (struct simd_graph){
        .kernel = kernel,
        .entry = entry,
        .passes_barriers = passes_barriers,
        .cut = cut,
        .words = (nodes + 63) / 64,
        .idom = arena_alloc((nodes + 1) * sizeof(int)),
        .ipdom = arena_alloc((nodes + 1) * sizeof(int)),
        .loop_of = arena_alloc((nodes + 1) * sizeof(int)),
    };
    graph->dominators = arena_alloc(nodes * graph->words * sizeof(uint64_t));
    graph->postdominators = arena_alloc(nodes * graph->words * sizeof(uint64_t));
    make_order(graph);
    find_dominators(graph);
    find_postdominators(graph);
    graph->is_endless = !all_end(graph);
    for (size_t i = 0; i < graph->count; i++) {
        graph->idom[graph->order[i]] = immediate(graph, graph->dominators, graph->order[i]);
        graph->ipdom[graph->order[i]] = immediate(graph, graph->postdominators, graph->order[i]);
    }
    find_loops(graph);
    for (size_t i = 0; i < graph->loop_count; i++) {
        nest_loop(graph, i);
    }
    assign_loops(graph);
    return graph;
}
