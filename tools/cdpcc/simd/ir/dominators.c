/* Dominators and postdominators.  Kernels are small, so bit sets and simple fixed points are fast
 * enough.
 *
 *     dominators    the greatest fixed point of: dom(n) = {n} + the intersection over predecessors
 *
 * Cost: with N nodes, each pass over the sets takes N * N / 64 words, and two or three passes
 * suffice in reducible graphs. N is at most SIMD_MOST_NODES.
 *
 * Where lanes that take different edges of a branch meet again is in ir/reconvergence.c. */
#include "simd/ir/dominators.h"

#include "simd/ir/graph.h"
#include "support/arena.h"

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

void simd_find_dominators(struct simd_graph *graph)
{
    size_t nodes = graph->node_count;
    graph->words = (nodes + 63) / 64;
    graph->idom = arena_alloc((nodes + 1) * sizeof(int));
    graph->ipdom = arena_alloc((nodes + 1) * sizeof(int));
    graph->dominators = arena_alloc(nodes * graph->words * sizeof(uint64_t));
    graph->postdominators = arena_alloc(nodes * graph->words * sizeof(uint64_t));
    find_dominators(graph);
    find_postdominators(graph);
    for (size_t i = 0; i < graph->count; i++) {
        graph->idom[graph->order[i]] = immediate(graph, graph->dominators, graph->order[i]);
        graph->ipdom[graph->order[i]] = immediate(graph, graph->postdominators, graph->order[i]);
    }
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
