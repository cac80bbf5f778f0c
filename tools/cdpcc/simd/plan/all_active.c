/* The path through a region that the all-active version takes.
 *
 * It leaves out rare code.  A divergent branch near the region's start, before any visible effect,
 * is assumed to take its longer side for all lanes.  A chunk for which this does not hold restarts
 * under masks (emit/chunks.c).
 *
 * The usual case is the guard of a grid:
 *
 *     if (i < n)  { long code }            all-active graph: entry -> long code -> end
 *     (nothing else)                       the edge to the end is left out
 *
 * Chunks whose lanes all pass the guard run code without any mask. That is what makes a flat
 * kernel as fast as a loop with OpenMP's simd: the guard is one scalar comparison for each chunk.
 * ispc knows the idea as an "all on" check, here made once before all other code.
 *
 * Which edges: the branch is divergent, in no loop, and no effect may have happened before it; an
 * edge is marked as unlikely, or one side has at least twice the instructions of the other. A
 * barrier in a side counts as 20 instructions. An edge can be left out only where all lanes arrive.
 * That depends on edges left out before, so the search repeats: a branch for which it fails is put
 * into `stays`, and the graph is built again. `stays` only grows, so at most as many rounds as
 * branches are needed.
 *
 * What always holds: a chunk that leaves the all-active graph by an edge left out has stored
 * nothing, so it may run again from its start. Loads that it has made are made again. */
#include "simd/plan/all_active.h"

#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/shape.h"
#include "simd/ir/branch_weights.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/edges.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/node.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/thread_fields.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <string.h>

/* The most operands on a path from a condition to a load. */
enum { MOST_OPERANDS = 8 };

/* The instruction has an effect that a second run of the chunk would repeat. */
static bool is_visible(LLVMValueRef at)
{
    if (LLVMIsACallInst(at) != NULL) {
        return simd_count_of(at) != COUNT_NONE ||
               (simd_has_effects(at) && simd_warp_operation_of(at) == WARP_NONE &&
                strncmp(simd_callee_name(at), "llvm.lifetime", 13) != 0);
    }
    return LLVMIsAStoreInst(at) != NULL || LLVMIsAAtomicRMWInst(at) != NULL ||
           LLVMIsAAtomicCmpXchgInst(at) != NULL || LLVMIsAFenceInst(at) != NULL;
}

/* Some instruction of the node has a visible effect. */
static bool has_effect(const struct simd_kernel *kernel, unsigned node)
{
    const struct simd_node *at = simd_node(kernel, node);
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        if (is_visible(i)) {
            return true;
        }
    }
    return false;
}

/* The lanes of a chunk may take both edges of the branch. */
static bool is_divergent(const struct simd_graph *graph, const struct simd_chunk *chunk,
                         unsigned node)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    return at->end == END_CONDITION && simd_graph_next(graph, node, next, which) > 1 &&
           !simd_is_one_for_chunk(simd_kernel_of(graph), chunk, at->condition);
}

/* Instructions that can be reached from the node without passing `stop`, the postdominator where
 * both sides reconverge; -1: until the region's end. */
static unsigned weight(const struct simd_graph *graph, unsigned from, int stop)
{
    unsigned total = 0;
    const bool *reached = simd_graph_reach(graph, from, stop);
    for (unsigned i = 0; i < simd_node_count(simd_kernel_of(graph)); i++) {
        const struct simd_node *at = simd_node(simd_kernel_of(graph), i);
        LLVMValueRef j = reached[i] ? at->first : NULL;
        for (; j != NULL && j != at->last; j = LLVMGetNextInstruction(j)) {
            total++;
        }
        total += reached[i] && at->end == END_BARRIER ? 20 : 0;
    }
    return total;
}

/* The value is varying because it depends on a load, a call or an atomic operation.  Affine values
 * and fields of the thread's context, such as threadIdx, are not data.  Follows paths of at most
 * `depth` operands. */
static bool is_from_data(const struct simd_kernel *kernel, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAInstruction(value) == NULL || depth == 0 ||
        simd_shape_of(kernel, value)->kind <= SHAPE_LINEAR || simd_self_field(value) >= 0) {
        return false;
    }
    if (LLVMIsALoadInst(value) != NULL || LLVMIsAAtomicRMWInst(value) != NULL ||
        LLVMIsAAtomicCmpXchgInst(value) != NULL) {
        return true;
    }
    if (LLVMIsACallInst(value) != NULL && !simd_is_pure_call(value)) {
        return true;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (is_from_data(kernel, LLVMGetOperand(value, i), depth - 1)) {
            return true;
        }
    }
    return false;
}

/* The number of the edge that is left out, or -1.
 * The factor two keeps branches with sides of similar length: there no side is rare. Where lanes
 * branch by data, neither side is: the first chunk of each block would restart, and all later ones
 * would run under masks from their start. */
static signed char edge_to_cut(const struct simd_graph *graph, const struct simd_chunk *chunk,
                               unsigned node)
{
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    if (at->end != END_CONDITION || simd_loop_of(graph, node) >= 0 ||
        simd_is_one_for_chunk(simd_kernel_of(graph), chunk, at->condition) ||
        is_from_data(simd_kernel_of(graph), at->condition, MOST_OPERANDS)) {
        return -1;
    }
    signed char unlikely =
        at->match != NULL ? -1
                          : simd_unlikely_edge(simd_context_of(simd_kernel_of(graph)), at->last);
    if (unlikely >= 0) {
        return unlikely;
    }
    unsigned first = weight(graph, at->next[0], graph->ipdom[node]);
    unsigned second = weight(graph, at->next[1], graph->ipdom[node]);
    if (first >= 2 * second + 2) {
        return 1;
    }
    return second >= 2 * first + 2 ? 0 : -1;
}

/* Nodes where an effect may already be visible: a node with an effect, and all nodes after one.
 * The order of nodes does not show this, since a loop's body may come after the code that follows
 * the loop. */
static bool *find_visible(const struct simd_graph *graph)
{
    size_t nodes = simd_node_count(simd_kernel_of(graph));
    bool *visible = arena_alloc(nodes + 1);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned at = graph->order[i];
        if (visible[at] || !has_effect(simd_kernel_of(graph), at)) {
            continue;
        }
        const bool *after = simd_graph_reach(graph, at, -1);
        for (size_t j = 0; j < nodes; j++) {
            visible[j] |= after[j];
        }
    }
    return visible;
}

/* Marks the nodes between a divergent branch that stays and its postdominator.  A chunk must not
 * restart there: lanes of one side would restart after those of the other side have had visible
 * effects. */
static void mark_below_divergence(const struct simd_graph *graph, const struct simd_chunk *chunk,
                                  unsigned node, bool *below_divergence)
{
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    if (at->end != END_CONDITION ||
        simd_is_one_for_chunk(simd_kernel_of(graph), chunk, at->condition)) {
        return;
    }
    for (unsigned i = 0; i < at->next_count; i++) {
        const bool *below = simd_graph_reach(graph, at->next[i], graph->ipdom[node]);
        for (size_t j = 0; j < simd_node_count(simd_kernel_of(graph)); j++) {
            below_divergence[j] |= below[j];
        }
    }
}

/* Returns, by node outside of loops, whether all lanes that start the region reach it and emission
 * can prove this. Then emission needs no mask for the node.
 * A node is reached by all if all paths from a dominator that is reached by all lead through it.
 * Or its only predecessor is reached by all, and all lanes take one edge of its branch. */
static bool *find_whole(const struct simd_graph *graph, const struct simd_chunk *chunk)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    bool *whole = arena_alloc(simd_node_count(kernel) + 1);
    whole[graph->entry] = true;
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        int by = node == graph->entry || simd_loop_of(graph, node) >= 0 ? -1 : graph->idom[node];
        while (by >= 0 && !(simd_loop_of(graph, by) < 0 &&
                            simd_graph_always_reaches(graph, (unsigned)by, node, -1))) {
            by = graph->idom[by];
        }
        if (by >= 0) {
            whole[node] = whole[by];
        } else if (node != graph->entry && simd_loop_of(graph, node) < 0) {
            struct simd_edges into = simd_edges_into(graph, node, NULL, false);
            unsigned from = into.count == 1 ? into.items[0].node : node;
            whole[node] = from != node && simd_loop_of(graph, from) < 0 && whole[from] &&
                          !is_divergent(graph, chunk, from);
        }
    }
    return whole;
}

/* An edge may be left out only at a node that all lanes reach; elsewhere some lanes have already
 * left the chunk's path.  True: there is a branch for which this does not hold; it stays from now
 * on. */
static bool find_partial_cut(const struct simd_graph *graph, const struct simd_chunk *chunk,
                             const struct simd_graph *given, bool *stays)
{
    const bool *whole = find_whole(graph, chunk);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        bool is_given = given->cut != NULL && given->cut[node] >= 0;
        if (!is_given && graph->cut[node] >= 0 && !whole[node]) {
            stays[node] = true;
            return true;
        }
    }
    return false;
}

/* Returns the given graph itself if no branch qualifies. Nodes are visited in the graph's order,
 * so that divergence above a branch is known when the branch is reached. */
static const struct simd_graph *leave_out(const struct simd_graph *graph,
                                          const struct simd_chunk *chunk, const bool *stays)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    signed char *cut = arena_alloc(simd_node_count(kernel) + 1);
    bool *below_divergence = arena_alloc(simd_node_count(kernel) + 1);
    const bool *visible = find_visible(graph);
    bool found = false;
    memset(cut, -1, simd_node_count(kernel));
    if (graph->cut != NULL) {
        memcpy(cut, graph->cut, simd_node_count(kernel));
    }
    for (size_t i = 0; i < graph->count; i++) {
        unsigned at = graph->order[i];
        if (cut[at] >= 0) { /* one of its edges is already left out */
            continue;
        }
        if (!visible[at] && !below_divergence[at] && !stays[at]) {
            cut[at] = edge_to_cut(graph, chunk, at);
        }
        found |= cut[at] >= 0;
        if (cut[at] < 0) {
            mark_below_divergence(graph, chunk, at, below_divergence);
        }
    }
    return found ? simd_graph_build(kernel, graph->entry, false, cut) : graph;
}

const struct simd_graph *simd_make_all_active(const struct simd_graph *graph,
                                              const struct simd_chunk *chunk, bool *stays)
{
    const struct simd_graph *result;
    do {
        result = leave_out(graph, chunk, stays);
    } while (result != graph && find_partial_cut(result, chunk, graph, stays));
    return result;
}

/* `out` marks the nodes that come after an effect, or lie below a divergent branch that stays. A
 * node with an effect of its own is not marked: simd_may_restart() looks inside it. */
const bool *simd_find_restarts(const struct simd_graph *graph, const struct simd_chunk *chunk)
{
    size_t nodes = simd_node_count(simd_kernel_of(graph));
    bool *restarts = arena_alloc(nodes + 1), *out = arena_alloc(nodes + 1);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned at = graph->order[i], next[SIMD_NEXT], which[SIMD_NEXT];
        unsigned count =
            has_effect(simd_kernel_of(graph), at) ? simd_graph_next(graph, at, next, which) : 0;
        for (unsigned k = 0; k < count; k++) {
            const bool *after = simd_graph_reach(graph, next[k], -1);
            out[next[k]] = true;
            for (size_t j = 0; j < nodes; j++) {
                out[j] |= after[j];
            }
        }
        if (graph->cut == NULL || graph->cut[at] < 0) {
            mark_below_divergence(graph, chunk, at, out);
        }
    }
    for (size_t i = 0; i < graph->count; i++) {
        restarts[graph->order[i]] = !out[graph->order[i]];
    }
    return restarts;
}

/* Within the node, nothing visible may come before the instruction. */
bool simd_may_restart(const struct simd_path *path, LLVMValueRef instruction)
{
    const struct simd_kernel *kernel = simd_kernel_of(path->graph);
    int node = simd_node_of(kernel, instruction);
    if (path->restarts == NULL || !path->restarts[node]) {
        return false;
    }
    LLVMValueRef at = simd_node(kernel, (unsigned)node)->first;
    while (at != instruction && !is_visible(at)) {
        at = LLVMGetNextInstruction(at);
    }
    return at == instruction;
}
