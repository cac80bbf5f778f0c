/* Control flow of a region, for all lanes at once.
 *
 * Nodes are emitted in topological order.  Each node has the mask of the lanes that reach it, each
 * edge has the mask of the lanes that take it, and phis blend by the masks of the edges.  That
 * alone is correct for every reducible graph.  In addition:
 *
 * - A node that all lanes of its dominator reach has its dominator's mask.
 * - A branch on a uniform condition stays a branch: the nodes that one side dominates are emitted
 *   there.
 * - Loops are in emit/loops.c, edges and masks in emit/edges.c.
 * - Code that no lane would run is skipped by a branch.  This is required for loops, since their
 *   end may depend on values that no lane computes.
 *
 * This is if-conversion, or linearization of control flow with mask generation:
 *
 *     if (x > 0) y = f(x); else y = g(x);
 *
 *     mask  =  m                               the lanes that reach the branch
 *     then  =  m & (x > 0)     f for these
 *     else  =  m & !(x > 0)    g for these
 *     y     =  select(then, f, g)
 *
 * In ispc's terms, a divergent branch is an if with a varying test, and a uniform one has a uniform
 * test. Partial linearization keeps uniform branches as they are, as RV does.
 *
 * What always holds: a mask of a node is a subset of the masks of its dominators. An instruction
 * in a node runs for all lanes, but only its active lanes have results that count; what could trap
 * or write is masked. */
#include "simd/emit/control.h"

#include "ir/context.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/uniformity.h"
#include "simd/emit/builder.h"
#include "simd/emit/chunk_conditions.h"
#include "simd/emit/debug_lines.h"
#include "simd/emit/early_exits.h"
#include "simd/emit/edges.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/emit/loops.h"
#include "simd/emit/permuted.h"
#include "simd/emit/publish.h"
#include "simd/emit/restarts.h"
#include "simd/emit/slots.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/edges.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/vectors.h"
#include "simd/plan/loops.h"
#include "simd/plan/plan.h"
#include "simd/plan/skip.h"
#include "support/arena.h"

#include <assert.h>

/* ---- branches ---- */

/* The nodes that only the edge leads to: those that its target dominates.  NULL if other edges lead
 * to the target, or if it is not emitted at this level. */
static bool *side_of(const struct simd_emit *emit, const bool *set, unsigned to)
{
    const struct simd_graph *graph = emit->scope.version->graph;
    if (!set[to] || emit->scope.is_done[to] ||
        simd_edges_into(emit->scope.version->graph, to, NULL, false).count != 1) {
        return NULL;
    }
    bool *side = arena_alloc(simd_node_count(emit->kernel) * sizeof *side);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned at = graph->order[i];
        side[at] = set[at] && simd_dominates(graph, to, at);
    }
    return side;
}

/* One side of a branch: the edge to it, the nodes emitted in it, and the edges that leave it.
 * Life: one branch. */
struct side {
    unsigned node, which, to;
    bool *set; /* may be NULL */
    struct simd_edges exits;
    LLVMBasicBlockRef end;
};

static struct side make_side(struct simd_emit *emit, const bool *set, unsigned node, unsigned which)
{
    unsigned to = simd_node(emit->kernel, node)->next[which];
    struct side side = {.node = node, .which = which, .to = to, .set = side_of(emit, set, to)};
    if (side.set != NULL) {
        side.exits = simd_edges_leaving(emit->scope.version->graph, side.set);
    } else {
        simd_push_edge(&side.exits, node, which, to);
    }
    return side;
}

/* The edges that leave the side are settled where it ends: their values must be available after it.
 */
static void emit_side(struct simd_emit *emit, struct side *side, const LLVMValueRef *mask,
                      int level)
{
    simd_set_edge(emit, side->node, side->which, mask);
    if (side->set != NULL) {
        simd_nodes(emit, side->set, level);
    }
    simd_settle(emit, &side->exits);
    side->end = simd_here(emit);
}

/* Both sides lead to one node, the branch's postdominator, so its phis become scalar control-flow
 * phis.
 * Then a uniform value stays uniform: the phi takes it from the side that ran. */
static bool joins_at_postdominator(const struct simd_emit *emit, const struct side *sides,
                                   unsigned node)
{
    const struct simd_graph *graph = emit->scope.version->graph;
    int join = graph->ipdom[node];
    for (unsigned i = 0; i < 2; i++) {
        for (size_t j = 0; j < sides[i].exits.count; j++) {
            if (join < 0 || sides[i].exits.items[j].to != (unsigned)join) {
                return false;
            }
        }
    }
    return join >= 0 && (sides[0].exits.count != 0 || sides[1].exits.count != 0);
}

/* One edge represents all edges of the two sides; the others are no longer set. */
static void join_sides(struct simd_emit *emit, struct side *sides, struct simd_value *values[2],
                       const LLVMValueRef *mask)
{
    const struct side *first = sides[0].exits.count != 0 ? &sides[0] : &sides[1];
    struct simd_edge_name name = first->exits.items[0];
    for (unsigned i = 0; i < 2; i++) {
        for (size_t j = 0; j < sides[i].exits.count; j++) {
            const struct simd_edge_name *other = &sides[i].exits.items[j];
            simd_edge_at(emit, other->node, other->which)->is_set = false;
        }
    }
    simd_set_edge(emit, name.node, name.which, mask);
    struct simd_incoming incoming[2];
    for (unsigned i = 0; i < 2; i++) {
        incoming[i] = (struct simd_incoming){values[i], sides[i].end};
    }
    simd_edge_at(emit, name.node, name.which)->phis =
        simd_join_values(emit, name.to, &incoming[0], &incoming[1]);
}

/* The condition is frozen under masks: if no lane is active, it may be poison, and a branch on
 * poison is undefined. */
static void branch_uniform(struct simd_emit *emit, unsigned node, const bool *set, int level)
{
    const struct simd_node *at = simd_node(emit->kernel, node);
    LLVMValueRef *mask = emit->scope.masks[node];
    struct simd_value condition = simd_get(emit, at->condition);
    LLVMValueRef taken = simd_takes_edge(emit, at, 0, condition.scalar[0]);
    if (!simd_is_full(emit, mask)) {
        taken = LLVMBuildFreeze(emit->builder, taken, "");
    }
    struct side sides[2];
    LLVMBasicBlockRef starts[] = {simd_new(emit, "then"), simd_new(emit, "else")};
    LLVMBasicBlockRef end = simd_new(emit, "endif");
    struct simd_value *values[2] = {NULL, NULL};
    LLVMBuildCondBr(emit->builder, taken, starts[0], starts[1]);
    for (unsigned i = 0; i < 2; i++) {
        sides[i] = make_side(emit, set, node, i);
    }
    bool joins = joins_at_postdominator(emit, sides, node);
    for (unsigned i = 0; i < 2; i++) {
        simd_at(emit, starts[i]);
        emit_side(emit, &sides[i], mask, level);
        if (joins) {
            values[i] = simd_blend_all(emit, (unsigned)emit->scope.version->graph->ipdom[node],
                                       &sides[i].exits);
            sides[i].end = simd_here(emit);
        }
        LLVMBuildBr(emit->builder, end);
    }
    simd_at(emit, end);
    if (joins) {
        join_sides(emit, sides, values, mask);
        return;
    }
    simd_join(emit, &sides[0].exits, sides[0].end, sides[1].end);
    simd_join(emit, &sides[1].exits, sides[1].end, sides[0].end);
}

static bool is_worth_a_branch(const struct simd_emit *emit, const bool *side)
{
    unsigned cost = 0;
    for (unsigned i = 0; i < simd_node_count(emit->kernel); i++) {
        cost += side[i] ? emit->scope.version->costs[i] : 0;
    }
    return cost > SIMD_COST_TO_SKIP;
}

/* Both sides run one after the other, each under its mask. A side of some length is jumped over if
 * no lane takes it. */
static void branch_divergent(struct simd_emit *emit, unsigned node, const bool *set, int level)
{
    const struct simd_node *at = simd_node(emit->kernel, node);
    const LLVMValueRef *mask = emit->scope.masks[node];
    struct simd_value condition = simd_get(emit, at->condition);
    LLVMValueRef masks[2][SIMD_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef taken = simd_takes_edge(emit, at, 0, simd_vector(emit, &condition, u));
        masks[0][u] = simd_and(emit, mask[u], taken);
        masks[1][u] = simd_and(emit, mask[u], LLVMBuildNot(emit->builder, taken, ""));
    }
    if ((int)node == emit->scope.version->early_exit) {
        simd_note_early_exit(emit, at->condition, mask);
    }
    simd_set_edge(emit, node, 0, masks[0]);
    simd_set_edge(emit, node, 1, masks[1]);
    for (unsigned i = 0; i < 2; i++) {
        struct side side = make_side(emit, set, node, i);
        if (side.set != NULL && is_worth_a_branch(emit, side.set)) {
            struct simd_skip skip = simd_begin_skip(emit, masks[i]);
            simd_nodes(emit, side.set, level);
            simd_end_skip(emit, &skip, &side.exits);
        }
    }
}

/* i1: all lanes take the edge of a branch for a case of a switch. */
static LLVMValueRef agree_on_match(struct simd_emit *emit, const struct simd_node *at,
                                   unsigned which)
{
    struct simd_value condition = simd_get(emit, at->condition);
    LLVMValueRef takes[SIMD_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        takes[u] = simd_takes_edge(emit, at, which, simd_vector(emit, &condition, u));
    }
    return simd_all(emit, takes);
}

/* An edge that the all-active version leaves out.  If any lane takes it, the chunk restarts in the
 * masked version, which has all edges. */
static void branch_cut(struct simd_emit *emit, unsigned node, unsigned kept)
{
    const struct simd_node *at = simd_node(emit->kernel, node);
    assert(simd_is_full(emit, emit->scope.masks[node]));
    LLVMValueRef all = at->match == NULL ? simd_all_lanes(emit, at->condition, kept == 0)
                                         : agree_on_match(emit, at, kept);
    LLVMBasicBlockRef kept_block = simd_new(emit, "all");
    LLVMBuildCondBr(emit->builder, all, kept_block, emit->scope.restart);
    simd_at(emit, kept_block);
    simd_set_edge(emit, node, kept, emit->scope.masks[node]);
}

/* ---- the ends of regions ---- */

/* All lanes that wait store the same number. */
static void store_next_region(struct simd_emit *emit, const LLVMValueRef *mask, int region)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef value = simd_int(i32, region);
    if (!simd_is_full(emit, mask)) {
        LLVMValueRef old = LLVMBuildLoad2(emit->builder, i32, emit->memory.next_region, "");
        value = LLVMBuildSelect(emit->builder, simd_any(emit, mask), value, old, "");
    }
    LLVMBuildStore(emit->builder, value, emit->memory.next_region);
}

/* Adds the number of the mask's lanes to a counter in memory. */
static void add_lanes(struct simd_emit *emit, LLVMValueRef count, LLVMValueRef mask)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef bits = LLVMBuildZExt(emit->builder, simd_bits(emit, mask), i32, "");
    LLVMValueRef lanes = simd_intrinsic(emit, "llvm.ctpop", &i32, 1, &bits, 1);
    LLVMValueRef old = LLVMBuildLoad2(emit->builder, i32, count, "");
    LLVMBuildStore(emit->builder, LLVMBuildAdd(emit->builder, old, lanes, ""), count);
}

/* For __syncthreads_count(), _and() and _or(). */
static void vote(struct simd_emit *emit, LLVMValueRef barrier, const LLVMValueRef *mask)
{
    struct simd_value predicate = simd_get(emit, LLVMGetOperand(barrier, 0));
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef value = simd_vector(emit, &predicate, u);
        LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
        LLVMValueRef yes = LLVMBuildICmp(emit->builder, LLVMIntNE, value, zero, "");
        add_lanes(emit, emit->memory.yes, simd_and(emit, mask[u], yes));
        add_lanes(emit, emit->memory.votes, mask[u]);
    }
}

/* The lanes of the mask wait at the barrier. */
static void end_at_barrier(struct simd_emit *emit, unsigned node)
{
    const LLVMValueRef *mask = emit->scope.masks[node];
    if (simd_vote_of(simd_node(emit->kernel, node)->last) != VOTE_NONE) {
        vote(emit, simd_node(emit->kernel, node)->last, mask);
    }
    store_next_region(emit, mask, emit->plan->region_of[simd_node(emit->kernel, node)->next[0]]);
    for (unsigned u = 0; emit->memory.alive != NULL && u < emit->vectors; u++) {
        LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
        LLVMValueRef at = simd_alive_at(emit, u);
        LLVMValueRef bits = LLVMBuildZExt(emit->builder, simd_bits(emit, mask[u]), i16, "");
        LLVMValueRef old = LLVMBuildLoad2(emit->builder, i16, at, "");
        LLVMBuildStore(emit->builder, LLVMBuildOr(emit->builder, old, bits, ""), at);
    }
}

/* The result of the lanes of the mask is that of the function.  Lanes that return elsewhere keep
 * theirs. */
static void end_at_return(struct simd_emit *emit, unsigned node)
{
    LLVMBuilderRef b = emit->builder;
    const LLVMValueRef *mask = emit->scope.masks[node];
    LLVMValueRef last = simd_node(emit->kernel, node)->last;
    struct simd_value value = simd_get(emit, LLVMGetOperand(last, 0));
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef result = simd_vector(emit, &value, u);
        LLVMValueRef variable = emit->launch.called.results[u];
        if (emit->launch.called.has_other_returns) {
            LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(result), variable, "");
            result = LLVMBuildSelect(b, mask[u], result, old, "");
        }
        LLVMBuildStore(b, result, variable);
    }
    emit->launch.called.has_other_returns = true;
}

/* All lanes of the chunk take the same edge. The search for lanes that are done counts those of
 * each edge. */
static bool is_together(const struct simd_emit *emit, unsigned node)
{
    LLVMValueRef condition = simd_node(emit->kernel, node)->condition;
    struct simd_chunk chunk = {emit->lanes, emit->vectors};
    return simd_is_uniform(emit->kernel, condition) ||
           ((int)node != emit->scope.version->early_exit &&
            simd_is_one_for_chunk(emit->kernel, &chunk, condition));
}

/* A node at the region's uniform exit has one edge in each path, and needs no branch. */
static void end_node(struct simd_emit *emit, unsigned node, const bool *set, int level)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    const struct simd_node *at = simd_node(emit->kernel, node);
    if (at->last != NULL) {
        simd_set_debug_location(emit, at->last);
    }
    if (at->end == END_BARRIER) {
        end_at_barrier(emit, node);
    }
    if (at->end == END_RETURN && emit->launch.called.results != NULL) {
        end_at_return(emit, node);
    }
    unsigned count = simd_graph_next(emit->scope.version->graph, node, next, which);
    if (count == 0) {
        return;
    }
    if (at->end == END_BRANCH || (int)node == emit->scope.region->uniform_exit) {
        simd_set_edge(emit, node, which[0], emit->scope.masks[node]);
        return;
    }
    if (count == 1) {
        branch_cut(emit, node, which[0]);
        return;
    }
    if (is_together(emit, node)) {
        branch_uniform(emit, node, set, level);
    } else {
        branch_divergent(emit, node, set, level);
    }
}

/* ---- nodes ---- */

static void emit_body(struct simd_emit *emit, unsigned node)
{
    const struct simd_node *at = simd_node(emit->kernel, node);
    if (emit->scope.region->publishing.nodes[node] && !emit->scope.region->publishing.first) {
        simd_publish_chunk(emit);
    }
    simd_start_progress(emit, node);
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAPHINode(i) == NULL && !simd_is_emitted(emit, i)) {
            simd_use_mask(emit, emit->scope.masks[node]);
            simd_test_ahead(emit, node, i);
            simd_instruction(emit, i);
            simd_note_emitted(emit, i);
        }
    }
}

/* A loop's header has got its mask and its phis from simd_loop(). */
static void emit_node(struct simd_emit *emit, unsigned node, const bool *set, int level)
{
    bool is_header = level >= 0 && emit->scope.version->graph->loops[level].header == node;
    emit->scope.is_done[node] = true;
    if (!is_header) {
        struct simd_edges edges = simd_edges_into(emit->scope.version->graph, node, NULL, false);
        simd_find_mask(emit, node, level, &edges);
        simd_set_phis(emit, node, simd_blend_all(emit, node, &edges));
    }
    emit_body(emit, node);
    if ((int)node != emit->scope.stop) {
        end_node(emit, node, set, level);
    }
}

/* Nodes of inner loops are emitted by simd_loop(), when their header is reached. */
void simd_nodes(struct simd_emit *emit, const bool *set, int level)
{
    const struct simd_graph *graph = emit->scope.version->graph;
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        if (!set[node] || emit->scope.is_done[node]) {
            continue;
        }
        if (simd_loop_of(graph, node) == level) {
            emit_node(emit, node, set, level);
            continue;
        }
        int loop = simd_loop_below(graph, node, level);
        if (loop >= 0 && graph->loops[loop].header == node) {
            simd_loop(emit, loop);
        }
    }
}
