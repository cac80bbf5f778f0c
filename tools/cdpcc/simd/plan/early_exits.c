/* Early exits: chunks after which the remaining chunks have nothing to do.
 *
 * One step of a tree reduction is for the first threads of a block, if (threadIdx.x < half), and
 * all other threads go straight to the next barrier.  If the last lane of a chunk is not one of the
 * first threads, no later chunk has any of them.  If the other threads would have no effect, the
 * chunk loop ends there.  Values that are the same for the block, such as the number of the next
 * barrier, were already stored by the chunks before.
 *
 * For 256 threads, chunks of 32 and half = 32:
 *
 *     if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
 *     __syncthreads();
 *
 *     without     8 chunks: 1 with work, 7 that test and do nothing
 *     with        2 chunks: the second one has no lane below half, and ends the loop
 *
 * This is not done where a known size makes the masks constants.
 *
 * Likewise if (i < n), or a grid-stride loop from i to n, with the global thread index i: all later
 * threads are beyond n.  In a grid that is far too large most blocks run one chunk then.
 *
 * Takes: a path that is split in two loops, of a version for blocks of one row. Gives: the node
 * whose branch decides, or -1. What must hold: lanes that do not take the branch have no effect at
 * all, values that the block shares do not depend on divergent branches, and the bound is
 * available: a condition from before the last barrier may live in a slot while its bound does not.
 * With a global index, those lanes do not load from addresses of their own either, and have no
 * tests and records of checks. */
#include "simd/plan/early_exits.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/transfer.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/placement.h"
#include "simd/ir/predicates.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/plan/available.h"
#include "simd/plan/plan.h"
#include "simd/plan/unroll.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

static LLVMValueRef without_extensions(LLVMValueRef value)
{
    while (LLVMIsAZExtInst(value) != NULL || LLVMIsASExtInst(value) != NULL ||
           LLVMIsAFreezeInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    return value;
}

static bool is_thread(LLVMValueRef value)
{
    return simd_self_field(value) == (int)offsetof(struct cdp_abi_thread, thread_idx);
}

/* blockIdx.x * blockDim.x + threadIdx.x: in a block of one row, that of y is uniform. */
static bool is_global(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
           simd_is_below_limit(kernel, value) && simd_shape_of(kernel, value)->kind == SHAPE_LINEAR;
}

static bool is_index(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return is_thread(value) || is_global(kernel, value);
}

bool simd_find_first_threads(const struct simd_kernel *kernel, LLVMValueRef condition,
                             struct simd_first_threads *first)
{
    if (condition == NULL || LLVMIsAICmpInst(condition) == NULL) {
        return false;
    }
    const struct simd_order *order = simd_order_of(LLVMGetICmpPredicate(condition));
    first->index = without_extensions(LLVMGetOperand(condition, 0));
    first->bound = LLVMGetOperand(condition, 1);
    first->how = LLVMGetICmpPredicate(condition);
    if (!is_index(kernel, first->index)) {
        first->index = without_extensions(LLVMGetOperand(condition, 1));
        first->bound = LLVMGetOperand(condition, 0);
        first->how = order->swapped;
    }
    first->edge = simd_order_of(first->how)->is_less ? 0 : 1;
    first->how = first->edge == 0 ? first->how : simd_order_of(first->how)->inverse;
    return simd_order_of(first->how)->is_less && is_index(kernel, first->index) &&
           simd_is_uniform(kernel, first->bound);
}

/* All threads reach the node together: no divergent branch dominates it, and it is in no loop. */
static bool is_reached_together(const struct simd_graph *graph, unsigned node)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    for (int at = graph->idom[node]; at >= 0; at = graph->idom[at]) {
        const struct simd_node *above = simd_node(kernel, (unsigned)at);
        if (above->end == END_CONDITION && !simd_is_uniform(kernel, above->condition)) {
            return false;
        }
        if (at == (int)graph->entry) {
            break;
        }
    }
    return simd_loop_of(graph, node) < 0;
}

/* Marks the nodes of lanes that reach `node` and do not take the edge, and the nodes before
 * it.
 * A uniform branch above the node is one choice for the block: its other side does not count, if it
 * does not lead to the node. */
static void mark_others(const struct simd_graph *graph, unsigned at, unsigned node, unsigned edge,
                        bool *others)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    if (others[at]) {
        return;
    }
    others[at] = true;
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    unsigned count = simd_graph_next(graph, at, next, which);
    bool is_choice = simd_node(kernel, at)->end == END_CONDITION && at != node &&
                     simd_is_uniform(kernel, simd_node(kernel, at)->condition) &&
                     simd_dominates(graph, at, node);
    for (unsigned i = 0; i < count; i++) {
        bool is_left_out = at == node && which[i] == edge;
        bool leads_away =
            is_choice && next[i] != node && !simd_graph_reach(graph, next[i], -1)[node];
        if (!is_left_out && !leads_away) {
            mark_others(graph, next[i], node, edge, others);
        }
    }
}

/* The branch decides whether lanes reach `to`.
 * This is control dependence: one edge surely leads to `to`, and the branch as a whole need not. */
static bool controls(const struct simd_graph *graph, unsigned branch, unsigned to)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    unsigned count = simd_graph_next(graph, branch, next, which);
    bool is_sure = false;
    for (unsigned i = 0; i < count; i++) {
        is_sure |= next[i] == to || simd_postdominates(graph, to, next[i]);
    }
    return is_sure && count > 1 && (to == branch || !simd_postdominates(graph, to, branch));
}

/* Some lanes may reach the node and others not.
 * Follows control dependences up to their roots; `seen` cuts cycles. */
static bool is_reached_divergently(const struct simd_graph *graph, unsigned node, bool *seen)
{
    if (seen[node]) {
        return false;
    }
    seen[node] = true;
    for (size_t i = 0; i < graph->count; i++) {
        unsigned branch = graph->order[i];
        if (!controls(graph, branch, node)) {
            continue;
        }
        LLVMValueRef condition = simd_node(simd_kernel_of(graph), branch)->condition;
        if (!simd_is_uniform(simd_kernel_of(graph), condition) ||
            is_reached_divergently(graph, branch, seen)) {
            return true;
        }
    }
    return false;
}

/* A check of --check, or a load that may fault: its address is another one in each chunk. */
static bool may_report(const struct simd_kernel *kernel, LLVMValueRef at)
{
    return simd_is_guard(at) || (LLVMIsACallInst(at) != NULL && simd_record_form_of(at) != NULL) ||
           (LLVMIsALoadInst(at) != NULL && !simd_is_uniform(kernel, simd_accessed(at)));
}

/* The value's definition has an effect that a chunk without work must not lose.  A value that lives
 * across the barrier is one, if it is stored for each lane, or if only some chunks may compute
 * it. */
static bool has_effect(const struct simd_path *path, size_t v)
{
    const struct simd_kernel *kernel = simd_kernel_of(path->graph);
    const struct simd_region *region = path->region;
    LLVMValueRef at = simd_value_at(kernel, v);
    bool lives_on = region->plan->has_slot[v] || region->promoted[v];
    bool is_published = simd_is_uniform(kernel, simd_value_at(kernel, v));
    if (lives_on && is_published) {
        bool *seen = arena_alloc(simd_node_count(kernel) + 1);
        is_published =
            !is_reached_divergently(path->graph, (unsigned)simd_node_of_number(kernel, v), seen);
    }
    return LLVMIsAStoreInst(at) != NULL || simd_is_order(at) ||
           (LLVMIsACallInst(at) != NULL && !simd_is_barrier(at) &&
            (simd_has_effects(at) || simd_count_of(at) != COUNT_NONE)) ||
           (lives_on && !is_published);
}

/* A barrier that counts votes needs each thread's predicate, so it is an effect.  In a kernel that
 * tests its global index, so are what may fault or report; a tree's step may load at first. */
static bool have_no_effect(const struct simd_path *path, const bool *nodes, bool reports)
{
    const struct simd_kernel *kernel = simd_kernel_of(path->graph);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        int node = simd_node_of_number(kernel, v);
        if (node >= 0 && nodes[node] &&
            (has_effect(path, v) || (reports && may_report(kernel, simd_value_at(kernel, v))))) {
            return false;
        }
    }
    for (size_t i = 0; i < simd_node_count(kernel); i++) {
        if (nodes[i] && simd_node(kernel, i)->end == END_BARRIER &&
            simd_vote_of(simd_node(kernel, i)->last) != VOTE_NONE) {
            return false;
        }
    }
    return true;
}

/* Where a tree's masks become constants, a test would only be in the way. */
static bool may_exit(const struct simd_path *path, unsigned node)
{
    const struct simd_graph *graph = path->graph;
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    const struct simd_node *at = simd_node(kernel, node);
    struct simd_first_threads first;
    if (at->end != END_CONDITION || at->match != NULL ||
        !simd_find_first_threads(kernel, at->condition, &first) ||
        !simd_is_available_or_promoted(path, graph, node, first.bound) ||
        !is_reached_together(graph, node)) {
        return false;
    }
    if (is_thread(first.index) ? simd_is_straight_size(kernel)
                               : !simd_is_available(path, graph, node, first.index)) {
        return false;
    }
    bool *others = arena_alloc(simd_node_count(kernel) + 1);
    mark_others(graph, graph->entry, node, first.edge, others);
    return have_no_effect(path, others, !is_thread(first.index));
}

int simd_find_early_exit(const struct simd_path *path)
{
    const struct simd_graph *graph = path->graph;
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    if (path->region->plan->needs_alive || simd_variant_of(kernel)->layout != LAYOUT_ONE_ROW) {
        return -1;
    }
    for (size_t i = 0; i < graph->count; i++) {
        if (may_exit(path, graph->order[i])) {
            return (int)graph->order[i];
        }
    }
    return -1;
}
