/* Emission of a region's loops.
 *
 * - Uniform: all lanes leave the loop together, so it is a plain loop.
 * - Divergent: the active lanes are a phi, and what leaves by each exit is collected until no lane
 *   is active.
 * - Nearly together, as in for (i = thread; i < n; i += threads): all-active iterations come first,
 *   as long as all lanes stay; masked iterations follow.  Where some lanes may not reach
 *   the loop at all, one test before it chooses.
 *
 * A loop that lanes leave by their own data:
 *
 *     loop:   active = phi [ mask, before ], [ stay, loop ]
 *             body under `active`
 *             stay   = active & condition
 *             result = select(active, value, result)       of a value that is used after the loop
 *             br any(stay), loop, end
 *
 * A loop whose lanes leave nearly together, for i = t; i < n; i += step:
 *
 *     common: body without masks; br all(i < n), common, part
 *     part:   stay = lanes with i < n; br any(stay), left, joined
 *     left:   the loop above, for the lanes that stay
 *     joined: phis of what both bring
 *
 * The second copy costs code, but runs at most for the last iterations. A vectorizer of scalar
 * loops would call it the tail, folded by masking.
 *
 * What always holds: after the loop, the exits' edges are set as for any other branch. */
#include "simd/emit/loops.h"

#include "ir/context.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/chunk_conditions.h"
#include "simd/emit/control.h"
#include "simd/emit/edges.h"
#include "simd/emit/emit.h"
#include "simd/emit/few_lanes.h"
#include "simd/emit/lane_loop.h"
#include "simd/emit/metadata.h"
#include "simd/emit/permuted.h"
#include "simd/emit/prefetch.h"
#include "simd/emit/row_tiles.h"
#include "simd/emit/versioning.h"
#include "simd/ir/branch_weights.h"
#include "simd/ir/counts.h"
#include "simd/ir/edges.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"
#include "simd/ir/vectors.h"
#include "simd/plan/loops.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <string.h>

/* The state at the end of the all-active iterations, when the first lane leaves.
 * Life: that of its loop. */
struct all_active {
    LLVMBasicBlockRef end;
    LLVMValueRef stay[SIMD_MOST_VECTORS];
    struct simd_value *next, *exit_values; /* for the header's phis, and for the exit's */
    struct simd_value *before; /* values brought to the exit before the masked iterations start */
};

/* The loop being emitted.  Lives as long as simd_loop(); a loop that is emitted twice uses it
 * twice. */
struct loop {
    int number;
    const struct simd_loop *graph;
    const struct simd_loop_plan *plan;
    LLVMBasicBlockRef before, head, after;
    struct simd_value *phis;       /* of the header */
    const enum simd_test *affine;  /* by phi of the header, in the all-active iterations; or NULL */
    struct all_active *all_active; /* the all-active iterations before this loop, or NULL */
    /* only for a loop that lanes leave in different iterations */
    struct simd_value active;
    struct tracked {
        struct simd_value left; /* lanes that have taken the exit so far; or all that ever will */
        struct simd_value *values; /* the values that they brought; unset: not needed */
    } *tracked;                    /* by exit */
};

/* Masks are values of i1, so phis and selects of values serve them, too. */
static struct simd_value mask_value(struct simd_emit *emit, const LLVMValueRef *mask)
{
    struct simd_value result = {.shape = &simd_varying_shape, .is_set = true};
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = mask[u];
    }
    return result;
}

static struct simd_value mask_phi(struct simd_emit *emit, const LLVMValueRef *first,
                                  LLVMBasicBlockRef from)
{
    struct simd_value result = simd_phi(emit, emit->lower->types.i1, &simd_varying_shape);
    struct simd_value value = mask_value(emit, first);
    simd_add_incoming(emit, &result, &value, from);
    return result;
}

static bool is_affine(const struct loop *loop, size_t index)
{
    return loop->affine != NULL && loop->affine[index] != TEST_NONE;
}

/* An affine phi has one scalar, for the first vector only. */
static void add_incoming(struct simd_emit *emit, struct loop *loop, size_t index,
                         struct simd_value *value, LLVMBasicBlockRef from)
{
    if (is_affine(loop, index)) {
        LLVMAddIncoming(loop->phis[index].scalar[0], &value->scalar[0], &from, 1);
    } else {
        simd_add_incoming(emit, &loop->phis[index], value, from);
    }
}

/* The other vectors' values follow from the first one's by constant distances.  So only one number
 * is counted, and addresses differ by constants. */
static void derive_other_vectors(struct simd_emit *emit, const struct loop *loop, size_t index)
{
    struct simd_value *phi = &loop->phis[index];
    LLVMTypeRef type = LLVMTypeOf(phi->scalar[0]);
    for (unsigned u = 1; u < emit->vectors; u++) {
        LLVMValueRef far = simd_int(type, phi->shape->stride * emit->lanes * u);
        phi->scalar[u] = loop->affine[index] == TEST_SIGNED
                             ? LLVMBuildNSWAdd(emit->builder, phi->scalar[0], far, "")
                             : LLVMBuildNUWAdd(emit->builder, phi->scalar[0], far, "");
    }
}

/* All phis come before the values that are derived from them, as LLVM requires. */
static void start_phis(struct simd_emit *emit, struct loop *loop, struct simd_value *first)
{
    unsigned header = loop->graph->header;
    size_t count = simd_count_phis(emit->kernel, header), index = 0;
    loop->phis = arena_alloc((count + 1) * sizeof *loop->phis);
    for (LLVMValueRef phi = simd_first_phi(emit->kernel, header); phi != NULL;
         phi = simd_next_phi(phi)) {
        const struct simd_shape *shape = simd_shape_at(emit, phi);
        struct simd_value *result = &loop->phis[index];
        if (is_affine(loop, index)) {
            *result = (struct simd_value){.shape = shape, .is_set = true};
            result->scalar[0] = LLVMBuildPhi(emit->builder, LLVMTypeOf(phi), "affine");
        } else {
            *result = simd_phi(emit, LLVMTypeOf(phi), shape);
        }
        add_incoming(emit, loop, index, &first[index], loop->before);
        index++;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_affine(loop, i)) {
            derive_other_vectors(emit, loop, i);
        }
    }
}

static void finish_phis(struct simd_emit *emit, struct loop *loop, struct simd_value *next,
                        LLVMBasicBlockRef from)
{
    size_t count = simd_count_phis(emit->kernel, loop->graph->header);
    for (size_t i = 0; i < count; i++) {
        add_incoming(emit, loop, i, &next[i], from);
    }
}

/* The mask does not change within the loop. */
static void emit_uniform_loop(struct simd_emit *emit, struct loop *loop)
{
    unsigned exiting = (unsigned)loop->plan->exiting, out = loop->plan->exits.items[0].which;
    const struct simd_node *at = simd_node(emit->kernel, exiting);
    LLVMValueRef *mask = emit->scope.masks[loop->graph->header];
    int stop = emit->scope.stop;
    emit->scope.stop = loop->plan->exiting;
    memcpy(emit->scope.masks[exiting], mask, sizeof emit->scope.masks[exiting]);
    emit->scope.has_mask[exiting] = true;
    simd_nodes(emit, loop->plan->up_to_exit, loop->number);
    emit->scope.stop = stop;
    if (simd_is_full(emit, mask)) {
        simd_prefetch_far(emit, &loop->plan->far);
    }
    struct simd_value condition = simd_get(emit, at->condition);
    LLVMValueRef taken = simd_takes_edge(emit, at, 0, condition.scalar[0]);
    LLVMBasicBlockRef stay_block = simd_new(emit, "iteration");
    LLVMBuildCondBr(emit->builder, taken, out == 0 ? loop->after : stay_block,
                    out == 0 ? stay_block : loop->after);
    simd_at(emit, stay_block);
    simd_set_edge(emit, exiting, out ^ 1, mask);
    simd_nodes(emit, loop->plan->after_exit, loop->number);
    struct simd_value *next = simd_blend_all(emit, loop->graph->header, &loop->plan->back);
    finish_phis(emit, loop, next, simd_here(emit));
    LLVMBuildBr(emit->builder, loop->head);
    simd_at(emit, loop->after);
    simd_set_edge(emit, exiting, out, mask);
}

/* A value from outside the loop is the same in all iterations, so it need not be collected. */
static bool is_from_inside(const struct simd_emit *emit, const struct loop *loop,
                           LLVMValueRef value)
{
    int node = simd_node_of(emit->kernel, value);
    return node >= 0 && loop->graph->inside[node];
}

/* All lanes leave by the only exit eventually, so it need not be recorded which lanes did. */
static bool is_only_exit(const struct loop *loop)
{
    return loop->plan->exits.count == 1;
}

/* Only values from inside the loop are collected; others are read after it. */
static void start_exits(struct simd_emit *emit, struct loop *loop, const LLVMValueRef *mask)
{
    LLVMValueRef none[SIMD_MOST_VECTORS];
    simd_fill_mask(emit, none, emit->none);
    loop->tracked = arena_alloc((loop->plan->exits.count + 1) * sizeof *loop->tracked);
    for (size_t i = 0; i < loop->plan->exits.count; i++) {
        const struct simd_edge_name *exit = &loop->plan->exits.items[i];
        struct tracked *tracked = &loop->tracked[i];
        size_t index = 0;
        tracked->left =
            is_only_exit(loop) ? mask_value(emit, mask) : mask_phi(emit, none, loop->before);
        tracked->values =
            arena_alloc((simd_count_phis(emit->kernel, exit->to) + 1) * sizeof *tracked->values);
        for (LLVMValueRef phi = simd_first_phi(emit->kernel, exit->to); phi != NULL;
             phi = simd_next_phi(phi)) {
            LLVMValueRef value = simd_phi_value(emit->kernel, phi, exit->node);
            if (is_from_inside(emit, loop, value)) {
                const struct simd_shape *shape = simd_shape_at(emit, phi);
                struct simd_value before = loop->all_active != NULL
                                               ? loop->all_active->before[index]
                                               : simd_poison(emit, LLVMTypeOf(phi), shape);
                tracked->values[index] = simd_phi(emit, LLVMTypeOf(phi), shape);
                simd_add_incoming(emit, &tracked->values[index], &before, loop->before);
            }
            index++;
        }
    }
}

/* ---- counters ---- */

/* The scalar phi's value, which starts with `first`, as a vector; emitted at the end of an
 * iteration.
 * The builder is moved to the places of the start value and of the phi, and back. */
static LLVMValueRef build_counter(struct simd_emit *emit, const struct loop *loop,
                                  LLVMValueRef first, LLVMValueRef step)
{
    LLVMBasicBlockRef end = simd_here(emit), before = loop->before;
    LLVMPositionBuilderBefore(emit->builder, LLVMGetBasicBlockTerminator(before));
    first = simd_splat(emit, first);
    LLVMPositionBuilderBefore(emit->builder, LLVMGetFirstInstruction(loop->head));
    LLVMValueRef counter = LLVMBuildPhi(emit->builder, LLVMTypeOf(first), "counter");
    simd_at(emit, end);
    LLVMValueRef next = LLVMBuildAdd(emit->builder, counter, simd_splat(emit, step), "");
    LLVMAddIncoming(counter, &first, &before, 1);
    LLVMAddIncoming(counter, &next, &end, 1);
    return counter;
}

/* The value in all lanes, if it is a counter of the loop or a counter's next value; NULL: it is
 * neither.  Copying a scalar to all lanes in each iteration takes longer than a vector that
 * counts. */
static LLVMValueRef vector_counter(struct simd_emit *emit, const struct loop *loop,
                                   LLVMValueRef value)
{
    for (size_t i = 0; i < loop->plan->counter_count; i++) {
        const struct simd_counter *counter = &loop->plan->counters[i];
        bool is_next = value == counter->next;
        if (value != counter->phi && !is_next) {
            continue;
        }
        LLVMValueRef first = LLVMGetIncomingValue(loop->phis[counter->index].scalar[0], 0);
        LLVMValueRef result = build_counter(emit, loop, first, counter->step);
        return is_next ? LLVMBuildAdd(emit->builder, result, simd_splat(emit, counter->step), "")
                       : result;
    }
    return NULL;
}

/* ---- exits ---- */

/* The mask of the lanes whose values are collected at the end of an iteration.  All lanes at the
 * exit's node may be collected, and their mask is available.  A lane that reaches the exit and
 * continues has two ways to end: it leaves by this exit in a later iteration, whose value then
 * replaces this one, or it leaves elsewhere, and its value is not used.  Skipped code is settled;
 * its masks are not available here. */
static const LLVMValueRef *collected_lanes(struct simd_emit *emit, const struct loop *loop,
                                           const struct simd_edge_name *exit,
                                           const struct simd_shape *shape)
{
    const struct simd_edge *edge = simd_edge_at(emit, exit->node, exit->which);
    bool is_plain = edge->phis == NULL &&
                    simd_loop_of(emit->scope.version->graph, exit->node) == loop->number &&
                    shape->kind == SHAPE_VARYING;
    return is_plain ? emit->scope.masks[exit->node] : edge->mask;
}

static struct simd_value value_at_exit(struct simd_emit *emit, const struct loop *loop,
                                       const struct simd_edge_name *exit, LLVMValueRef phi,
                                       size_t index)
{
    struct simd_value now = simd_edge_value(emit, exit, phi, index);
    bool is_settled = simd_edge_at(emit, exit->node, exit->which)->phis != NULL;
    LLVMValueRef value = simd_phi_value(emit->kernel, phi, exit->node);
    LLVMValueRef all =
        is_settled || !simd_value_is_varying(&now) ? NULL : vector_counter(emit, loop, value);
    for (unsigned u = 0; all != NULL && u < emit->vectors; u++) {
        now.vector[u] = all;
    }
    return now;
}

/* The result is what the exit has collected after this iteration. */
static struct simd_loop_exit track_exit(struct simd_emit *emit, const struct loop *loop,
                                        size_t number)
{
    const struct simd_edge_name *exit = &loop->plan->exits.items[number];
    const struct tracked *tracked = &loop->tracked[number];
    struct simd_edge *edge = simd_edge_at(emit, exit->node, exit->which);
    struct simd_loop_exit iteration_exit = {.left = tracked->left};
    bool grows = edge->is_set && !is_only_exit(loop);
    size_t index = 0;
    iteration_exit.values =
        arena_alloc((simd_count_phis(emit->kernel, exit->to) + 1) * sizeof *iteration_exit.values);
    for (unsigned u = 0; grows && u < emit->vectors; u++) {
        iteration_exit.left.vector[u] =
            LLVMBuildOr(emit->builder, tracked->left.vector[u], edge->mask[u], "");
    }
    for (LLVMValueRef phi = simd_first_phi(emit->kernel, exit->to); phi != NULL;
         phi = simd_next_phi(phi)) {
        const struct simd_value *old = &tracked->values[index];
        iteration_exit.values[index] = *old;
        if (old->is_set && edge->is_set) {
            const struct simd_shape *shape = simd_shape_at(emit, phi);
            struct simd_value now = value_at_exit(emit, loop, exit, phi, index);
            iteration_exit.values[index] =
                simd_select(emit, collected_lanes(emit, loop, exit, shape), &now, old, shape);
        }
        index++;
    }
    return iteration_exit;
}

static void close_exit(struct simd_emit *emit, struct loop *loop, size_t number,
                       const struct simd_loop_exit *iteration_exit,
                       const struct simd_loop_exit *last, LLVMBasicBlockRef from)
{
    const struct simd_edge_name *exit = &loop->plan->exits.items[number];
    struct tracked *tracked = &loop->tracked[number];
    size_t count = simd_count_phis(emit->kernel, exit->to);
    if (!is_only_exit(loop)) {
        simd_add_incoming(emit, &tracked->left, &iteration_exit->left, from);
    }
    for (size_t i = 0; i < count; i++) {
        if (tracked->values[i].is_set) {
            simd_add_incoming(emit, &tracked->values[i], &iteration_exit->values[i], from);
        }
    }
    simd_set_edge(emit, exit->node, exit->which, last->left.vector);
    simd_edge_at(emit, exit->node, exit->which)->phis = last->values;
}

/* i1: more than `few` lanes stay in the loop. */
static LLVMValueRef more_lanes_than(struct simd_emit *emit, const LLVMValueRef *stay, unsigned few)
{
    LLVMTypeRef word = simd_word_of_lanes(emit);
    LLVMValueRef bits = simd_join_bits(emit, stay, emit->vectors, word);
    LLVMValueRef count = simd_intrinsic(emit, "llvm.ctpop", &word, 1, &bits, 1);
    return LLVMBuildICmp(emit->builder, LLVMIntUGT, count, simd_int(word, few), "");
}

/* Runs the last lanes one after the other.  Returns the exits with the values of all lanes. */
static struct simd_loop_exit *finish_few_lanes(struct simd_emit *emit, const struct loop *loop,
                                               const LLVMValueRef *stay,
                                               const struct simd_value *next,
                                               const struct simd_loop_exit *exits)
{
    size_t count = loop->plan->exits.count;
    struct simd_loop_exit *result = arena_alloc((count + 1) * sizeof *result);
    memcpy(result, exits, count * sizeof *result);
    for (size_t i = 0; i < count; i++) {
        size_t phis = simd_count_phis(emit->kernel, loop->plan->exits.items[i].to);
        result[i].values = arena_alloc((phis + 1) * sizeof *result[i].values);
        memcpy(result[i].values, exits[i].values, phis * sizeof *result[i].values);
    }
    simd_run_few_lanes(emit, loop->number, stay, next, result);
    return result;
}

/* Exits are tracked before the branch, and closed after it, where their phis are complete. */
static void emit_divergent_loop(struct simd_emit *emit, struct loop *loop)
{
    unsigned header = loop->graph->header;
    simd_nodes(emit, loop->graph->inside, loop->number);
    LLVMValueRef stay[SIMD_MOST_VECTORS];
    simd_or_masks(emit, &loop->plan->back, stay);
    struct simd_value *next = simd_blend_all(emit, header, &loop->plan->back);
    struct simd_loop_exit *iteration_exits =
        arena_alloc((loop->plan->exits.count + 1) * sizeof *iteration_exits);
    for (size_t i = 0; i < loop->plan->exits.count; i++) {
        iteration_exits[i] = track_exit(emit, loop, i);
    }
    unsigned few = loop->plan->few_lanes;
    LLVMValueRef again = few == 0 ? simd_any(emit, stay) : more_lanes_than(emit, stay, few);
    LLVMBasicBlockRef leave = few == 0 ? loop->after : simd_new(emit, "few");
    LLVMBasicBlockRef end = simd_here(emit);
    struct simd_value active = mask_value(emit, stay);
    finish_phis(emit, loop, next, end);
    simd_add_incoming(emit, &loop->active, &active, end);
    LLVMBuildCondBr(emit->builder, again, loop->head, leave);
    const struct simd_loop_exit *last = iteration_exits;
    if (few != 0) {
        simd_at(emit, leave);
        last = finish_few_lanes(emit, loop, stay, next, iteration_exits);
        LLVMBuildBr(emit->builder, loop->after);
    }
    simd_at(emit, loop->after);
    for (size_t i = 0; i < loop->plan->exits.count; i++) {
        close_exit(emit, loop, i, &iteration_exits[i], &last[i], end);
    }
}

/* ---- all-active iterations ---- */

/* Resets the loop's nodes, which will be emitted once more. */
static void reset_nodes(struct simd_emit *emit, const struct loop *loop)
{
    for (unsigned i = 0; i < simd_node_count(emit->kernel); i++) {
        if (!loop->graph->inside[i]) {
            continue;
        }
        emit->scope.is_done[i] = false;
        emit->scope.has_mask[i] = i == loop->graph->header; /* it will be set */
        for (unsigned j = 0; j < SIMD_NEXT; j++) {
            *simd_edge_at(emit, i, j) = (struct simd_edge){.is_set = false};
        }
    }
}

/* In this iteration some lanes stay and others leave, so from here on masks are needed. */
static void find_leaving_lanes(struct simd_emit *emit, const struct loop *loop,
                               struct all_active *all_active)
{
    const struct simd_edge_name *back = &loop->plan->back.items[0];
    const struct simd_node *at = simd_node(emit->kernel, back->node);
    struct simd_value condition = simd_get(emit, at->condition);
    for (unsigned u = 0; u < emit->vectors; u++) {
        all_active->stay[u] =
            simd_takes_edge(emit, at, back->which, simd_vector(emit, &condition, u));
    }
    all_active->before = all_active->exit_values =
        simd_blend_all(emit, loop->plan->exits.items[0].to, &loop->plan->exits);
    all_active->end = simd_here(emit);
}

/* Masks of header and latch are constants, and the last branch tests all lanes at once. */
static struct all_active *emit_all_active_iterations(struct simd_emit *emit, struct loop *loop,
                                                     struct simd_value *first,
                                                     const LLVMValueRef *full)
{
    const struct simd_edge_name *back = &loop->plan->back.items[0],
                                *out = &loop->plan->exits.items[0];
    struct all_active *all_active = arena_alloc(sizeof *all_active);
    int stop = emit->scope.stop;
    LLVMBasicBlockRef head = simd_new(emit, "common"), some_leave = simd_new(emit, "part");
    loop->before = simd_here(emit);
    LLVMBuildBr(emit->builder, head);
    simd_at(emit, head);
    loop->affine = loop->plan->affine_phis;
    start_phis(emit, loop, first);
    memcpy(emit->scope.masks[loop->graph->header], full, sizeof emit->scope.masks[0]);
    memcpy(emit->scope.masks[back->node], full, sizeof emit->scope.masks[0]);
    emit->scope.has_mask[back->node] = true;
    simd_set_phis(emit, loop->graph->header, loop->phis);
    emit->scope.stop = (int)back->node;
    simd_nodes(emit, loop->graph->inside, loop->number);
    emit->scope.stop = stop;
    simd_set_edge(emit, back->node, back->which, full);
    simd_set_edge(emit, out->node, out->which, full);
    all_active->next = simd_blend_all(emit, loop->graph->header, &loop->plan->back);
    simd_prefetch_loop(emit, &loop->plan->ahead, simd_node(emit->kernel, back->node)->condition,
                       back->which == 0);
    LLVMValueRef all =
        simd_all_lanes(emit, simd_node(emit->kernel, back->node)->condition, back->which == 0);
    finish_phis(emit, loop, all_active->next, simd_here(emit));
    loop->affine = NULL;
    LLVMBuildCondBr(emit->builder, all, head, some_leave);
    simd_at(emit, some_leave);
    find_leaving_lanes(emit, loop, all_active);
    reset_nodes(emit, loop);
    return all_active;
}

/* Joins the end of the masked iterations with the path that has none: all lanes have left. */
static void join_all_active(struct simd_emit *emit, struct loop *loop, const LLVMValueRef *mask,
                            LLVMBasicBlockRef join)
{
    const struct simd_edge_name *exit = &loop->plan->exits.items[0];
    struct simd_edge *edge = simd_edge_at(emit, exit->node, exit->which);
    struct simd_incoming masked = {edge->phis, simd_here(emit)};
    struct simd_incoming none = {loop->all_active->exit_values, loop->all_active->end};
    simd_set_edge(emit, exit->node, exit->which, mask);
    LLVMBuildBr(emit->builder, join);
    simd_at(emit, join);
    edge->phis = simd_join_values(emit, exit->to, &masked, &none);
}

/* Emits the iterations from here on, with these phis and for these lanes. */
static void emit_iterations(struct simd_emit *emit, struct loop *loop, struct simd_value *first,
                            LLVMValueRef *mask)
{
    unsigned header = loop->graph->header;
    simd_start_tiles(emit, &loop->plan->tiles);
    loop->before = simd_here(emit);
    loop->head = simd_new(emit, "loop");
    loop->after = simd_new(emit, "loop.end");
    LLVMBuildBr(emit->builder, loop->head);
    simd_at(emit, loop->head);
    start_phis(emit, loop, first);
    if (loop->plan->exiting < 0) {
        loop->active = mask_phi(emit, mask, loop->before);
        start_exits(emit, loop, mask);
        memcpy(emit->scope.masks[header], loop->active.vector, sizeof emit->scope.masks[header]);
    }
    simd_set_phis(emit, header, loop->phis);
    if (loop->plan->exiting >= 0) {
        emit_uniform_loop(emit, loop);
    } else {
        emit_divergent_loop(emit, loop);
    }
    simd_end_tiles(emit, &loop->plan->tiles);
}

/* Merges the two edges that lead to the masked iterations: from the all-active iterations, and from
 * where not all lanes reached the loop. */
static void merge_masked_start(struct simd_emit *emit, struct loop *loop, struct simd_value *first,
                               const LLVMValueRef *mask, LLVMBasicBlockRef not_all)
{
    struct all_active *all_active = loop->all_active;
    struct simd_value stay = mask_phi(emit, all_active->stay, all_active->end);
    struct simd_value some = mask_value(emit, mask);
    simd_add_incoming(emit, &stay, &some, not_all);
    memcpy(all_active->stay, stay.vector, sizeof all_active->stay);
    struct simd_incoming of_header[] = {{all_active->next, all_active->end}, {first, not_all}};
    struct simd_incoming of_exit[] = {{all_active->exit_values, all_active->end}, {NULL, not_all}};
    all_active->next = simd_join_values(emit, loop->graph->header, &of_header[0], &of_header[1]);
    all_active->before =
        simd_join_values(emit, loop->plan->exits.items[0].to, &of_exit[0], &of_exit[1]);
}

/* All-active iterations, then masked ones for the remaining lanes, if any. */
static void emit_all_active_then_masked(struct simd_emit *emit, struct loop *loop,
                                        struct simd_value *first, LLVMValueRef *mask)
{
    LLVMBasicBlockRef masked = simd_new(emit, "left"), join = simd_new(emit, "joined");
    LLVMBasicBlockRef not_all = NULL;
    LLVMValueRef full[SIMD_MOST_VECTORS];
    simd_fill_mask(emit, full, emit->full);
    if (!simd_is_full(emit, mask)) {
        LLVMBasicBlockRef all_reach = simd_new(emit, "all_active");
        LLVMValueRef all = simd_all(emit, mask);
        not_all = simd_here(emit);
        LLVMBuildCondBr(emit->builder, all, all_reach, masked);
        simd_at(emit, all_reach);
    }
    loop->all_active = emit_all_active_iterations(emit, loop, first, full);
    LLVMBuildCondBr(emit->builder, simd_any(emit, loop->all_active->stay), masked, join);
    simd_at(emit, masked);
    if (not_all != NULL) {
        merge_masked_start(emit, loop, first, mask, not_all);
    }
    emit_iterations(emit, loop, loop->all_active->next, loop->all_active->stay);
    join_all_active(emit, loop, mask, join);
}

/* Joins the values that the settled edge brings to its target from the two versions of the loop. */
static void join_versions(struct simd_emit *emit, const struct simd_edge_name *exit,
                          const struct simd_value *first, LLVMBasicBlockRef from)
{
    struct simd_edge *edge = simd_edge_at(emit, exit->node, exit->which);
    struct simd_incoming incoming[] = {{first, from}, {edge->phis, simd_here(emit)}};
    LLVMBasicBlockRef join = simd_new(emit, "joined");
    LLVMBuildBr(emit->builder, join);
    LLVMPositionBuilderAtEnd(emit->builder, from);
    LLVMBuildBr(emit->builder, join);
    simd_at(emit, join);
    edge->phis = simd_join_values(emit, exit->to, &incoming[0], &incoming[1]);
}

/* Emits the two versions of a loop (plan/versioning.c).
 * Within a version, inner loops are not versioned again. */
static void emit_versions(struct simd_emit *emit, struct loop *loop, struct simd_value *first,
                          LLVMValueRef *mask, const bool *tested)
{
    const struct simd_edge_name *exit = &loop->plan->exits.items[0];
    struct simd_edge *edge = simd_edge_at(emit, exit->node, exit->which);
    LLVMBasicBlockRef all_reach = simd_new(emit, "all_active"),
                      not_all = simd_new(emit, "divergent");
    LLVMValueRef all = simd_test_all(emit, tested);
    simd_mark_likely(emit->lower, LLVMBuildCondBr(emit->builder, all, all_reach, not_all));
    simd_at(emit, all_reach);
    struct simd_value *kept = simd_assume_affine(emit, tested);
    emit->scope.is_versioned = true;
    emit_iterations(emit, loop, first, mask);
    simd_settle(emit, &loop->plan->exits);
    const struct simd_value *exit_values = edge->phis;
    LLVMBasicBlockRef from = simd_here(emit);
    memcpy(emit->scope.values, kept, simd_value_count(emit->kernel) * sizeof *kept);
    reset_nodes(emit, loop);
    simd_at(emit, not_all);
    emit_iterations(emit, loop, first, mask);
    simd_settle(emit, &loop->plan->exits);
    join_versions(emit, exit, exit_values, from);
    emit->scope.is_versioned = false;
}

/* Versions need a full mask. All-active iterations need one too, or a chunk that started with all
 * lanes. Elsewhere the plain form is emitted. */
static void emit_loop(struct simd_emit *emit, struct loop *loop, LLVMValueRef *mask)
{
    struct simd_value *first = simd_blend_all(emit, loop->graph->header, &loop->plan->entering);
    enum simd_loop_kind kind = loop->plan->kind;
    bool is_full = simd_is_full(emit, mask);
    if (kind == LOOP_VERSIONED && is_full && !emit->scope.is_versioned) {
        emit_versions(emit, loop, first, mask, loop->plan->tested);
    } else if (kind == LOOP_ALL_ACTIVE_THEN_MASKED && (is_full || emit->scope.is_whole)) {
        emit_all_active_then_masked(emit, loop, first, mask);
    } else {
        emit_iterations(emit, loop, first, mask);
    }
}

void simd_loop(struct simd_emit *emit, int number)
{
    struct loop loop = {.number = number,
                        .graph = &emit->scope.version->graph->loops[number],
                        .plan = &emit->scope.version->loops[number]};
    unsigned header = loop.graph->header;
    simd_find_mask(emit, header, loop.graph->parent, &loop.plan->entering);
    LLVMValueRef mask[SIMD_MOST_VECTORS];
    memcpy(mask, emit->scope.masks[header], sizeof mask);
    if (simd_is_full(emit, mask)) {
        emit_loop(emit, &loop, mask);
        return;
    }
    struct simd_skip skip = simd_begin_skip(emit, mask);
    emit_loop(emit, &loop, mask);
    simd_end_skip(emit, &skip, &loop.plan->exits);
}
