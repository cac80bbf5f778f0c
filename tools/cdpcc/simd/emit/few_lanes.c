/* Emission of the last lanes of a divergent loop, one after the other (plan/few_lanes.c).
 *
 *     few:        store the lanes' live-in values, and values that have left the loop, to arrays
 *     for each active lane (emit/lane_loop.c):
 *                     load the lane's live-in values
 *         few.node:   copies of the loop's nodes, as scalars
 *         few.exit:   for each exit: store the lane's values
 *         few.next:
 *     load the values of all lanes
 *
 * Invariant: the copy runs for active lanes only, so its instructions keep their flags (no wrap, in
 * bounds). */
#include "simd/emit/few_lanes.h"

#include "ir/context.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/debug_lines.h"
#include "simd/emit/instruction.h"
#include "simd/emit/lane_loop.h"
#include "simd/emit/publish.h"
#include "simd/ir/counts.h"
#include "simd/ir/edges.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"
#include "simd/plan/loops.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

/* Where each lane's value is: in an array, or one scalar for all. */
struct source {
    LLVMValueRef array, scalar;
};

/* The lanes being emitted.
 * Life: one simd_run_few_lanes(). */
struct few {
    struct simd_emit *emit;
    const struct simd_graph *graph;
    const struct simd_loop *loop;
    const struct simd_loop_plan *plan;
    size_t used;               /* arrays that are in use */
    struct source *sources;    /* by value number: of values from outside the loop */
    struct source *starts;     /* by phi of the header: its value at the loop's entry */
    LLVMValueRef *scalars;     /* by value number: of the current lane */
    LLVMBasicBlockRef *blocks; /* by node */
    struct simd_lane_loop lanes;
    LLVMBasicBlockRef next; /* the end of a lane's code */
    LLVMValueRef **results; /* by exit and phi: arrays; NULL: not collected */
    LLVMValueRef *left;     /* by exit: an array of i1, true for lanes that left by it */
};

static struct source keep(struct few *few, const struct simd_value *value, LLVMTypeRef type)
{
    struct source source = {.array = NULL};
    if (simd_value_is_uniform(value)) {
        source.scalar = value->scalar[0];
    } else {
        source.array = simd_keep_lanes(few->emit, value, type, &few->used);
    }
    return source;
}

static LLVMValueRef read(struct few *few, const struct source *source, LLVMTypeRef type)
{
    return source->array == NULL ? source->scalar
                                 : simd_kept_lane(few->emit, source->array, type, few->lanes.lane);
}

static bool is_inside(const struct few *few, LLVMValueRef value)
{
    int node = simd_node_of(few->emit->kernel, value);
    return node >= 0 && few->loop->inside[node];
}

/* ---- before the lanes ---- */

/* Stores a value from outside the loop, which each lane reads. */
static void keep_operand(struct few *few, LLVMValueRef value)
{
    int number = simd_number(few->emit->kernel, value);
    if (number < 0 || is_inside(few, value) || few->sources[number].array != NULL ||
        few->sources[number].scalar != NULL) {
        return;
    }
    struct simd_value outside = simd_get(few->emit, value);
    few->sources[number] = keep(few, &outside, LLVMTypeOf(value));
}

/* Phis of the header also have operands for the edges that enter the loop. These are not needed. */
static void keep_operands_of_phis(struct few *few, unsigned node)
{
    const struct simd_kernel *kernel = few->emit->kernel;
    struct simd_edges into = simd_edges_into(few->graph, node, few->loop->inside, true);
    for (size_t e = 0; e < into.count; e++) {
        for (LLVMValueRef phi = simd_first_phi(kernel, node); phi != NULL;
             phi = simd_next_phi(phi)) {
            keep_operand(few, simd_phi_value(kernel, phi, into.items[e].node));
        }
    }
}

static void keep_operands_of_node(struct few *few, unsigned node)
{
    const struct simd_node *at = simd_node(few->emit->kernel, node);
    for (LLVMValueRef i = at->first; i != at->last; i = LLVMGetNextInstruction(i)) {
        unsigned count = LLVMIsAPHINode(i) != NULL ? 0 : (unsigned)LLVMGetNumOperands(i);
        for (unsigned j = 0; j < count; j++) {
            keep_operand(few, LLVMGetOperand(i, j));
        }
    }
    keep_operands_of_phis(few, node);
    if (at->end == END_CONDITION) {
        keep_operand(few, at->condition);
    }
}

static void keep_operands(struct few *few)
{
    for (unsigned n = 0; n < simd_node_count(few->emit->kernel); n++) {
        if (few->loop->inside[n]) {
            keep_operands_of_node(few, n);
        }
    }
}

static void keep_starts(struct few *few, const struct simd_value *phis)
{
    const struct simd_kernel *kernel = few->emit->kernel;
    unsigned header = few->loop->header;
    few->starts = arena_alloc((simd_count_phis(kernel, header) + 1) * sizeof *few->starts);
    size_t index = 0;
    for (LLVMValueRef phi = simd_first_phi(kernel, header); phi != NULL; phi = simd_next_phi(phi)) {
        few->starts[index] = keep(few, &phis[index], LLVMTypeOf(phi));
        index++;
    }
}

/* Lanes that have left before keep their values. */
static void keep_results(struct few *few, const struct simd_loop_exit *exits)
{
    size_t count = few->plan->exits.count;
    few->results = arena_alloc((count + 1) * sizeof *few->results);
    few->left = arena_alloc((count + 1) * sizeof *few->left);
    for (size_t i = 0; i < count; i++) {
        const struct simd_edge_name *exit = &few->plan->exits.items[i];
        size_t phis = simd_count_phis(few->emit->kernel, exit->to), index = 0;
        few->results[i] = arena_alloc((phis + 1) * sizeof *few->results[i]);
        for (LLVMValueRef phi = simd_first_phi(few->emit->kernel, exit->to); phi != NULL;
             phi = simd_next_phi(phi)) {
            if (exits[i].values[index].is_set) {
                few->results[i][index] = simd_keep_lanes(few->emit, &exits[i].values[index],
                                                         LLVMTypeOf(phi), &few->used);
            }
            index++;
        }
        if (count > 1) {
            few->left[i] =
                simd_keep_lanes(few->emit, &exits[i].left, few->emit->lower->types.i1, &few->used);
        }
    }
}

/* Some node may not have published the threads yet, because no lane has reached it. */
static void publish(const struct few *few)
{
    const struct simd_region *region = few->emit->scope.region;
    for (unsigned n = 0; n < simd_node_count(few->emit->kernel); n++) {
        if (few->loop->inside[n] && !region->publishing.first && region->publishing.nodes[n]) {
            simd_publish_chunk(few->emit);
            return;
        }
    }
}

/* ---- a lane ---- */

static LLVMValueRef scalar_of(const struct few *few, LLVMValueRef value)
{
    int number = simd_number(few->emit->kernel, value);
    return number < 0 ? value : few->scalars[number];
}

/* The lane's values from outside the loop. */
static void start_lane(struct few *few)
{
    for (size_t v = 0; v < simd_value_count(few->emit->kernel); v++) {
        const struct source *source = &few->sources[v];
        if (source->array != NULL || source->scalar != NULL) {
            few->scalars[v] = read(few, source, LLVMTypeOf(simd_value_at(few->emit->kernel, v)));
        }
    }
}

static void copy_instruction(struct few *few, LLVMValueRef at)
{
    struct simd_emit *emit = few->emit;
    int number = simd_number(emit->kernel, at);
    if (LLVMIsAPHINode(at) != NULL) {
        few->scalars[number] = LLVMBuildPhi(emit->builder, LLVMTypeOf(at), "");
        return;
    }
    LLVMValueRef copy = LLVMInstructionClone(at);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
        LLVMSetOperand(copy, i, scalar_of(few, LLVMGetOperand(at, i)));
    }
    simd_set_debug_location(emit, at);
    simd_insert_clone(emit, at, copy);
    if (number >= 0) {
        few->scalars[number] = copy;
    }
}

/* The lane leaves the loop by this exit. */
static void leave(struct few *few, size_t exit)
{
    struct simd_emit *emit = few->emit;
    const struct simd_edge_name *edge = &few->plan->exits.items[exit];
    size_t index = 0;
    for (LLVMValueRef phi = simd_first_phi(emit->kernel, edge->to); phi != NULL;
         phi = simd_next_phi(phi)) {
        if (few->results[exit][index] != NULL) {
            LLVMValueRef value = scalar_of(few, simd_phi_value(emit->kernel, phi, edge->node));
            simd_keep_lane(emit, few->results[exit][index], value, few->lanes.lane);
        }
        index++;
    }
    if (few->left[exit] != NULL) {
        simd_keep_lane(emit, few->left[exit], simd_int(emit->lower->types.i1, 1), few->lanes.lane);
    }
    LLVMBuildBr(emit->builder, few->next);
}

/* The block for an edge of a node in the loop. */
static LLVMBasicBlockRef target(struct few *few, unsigned node, unsigned which)
{
    unsigned to = simd_node(few->emit->kernel, node)->next[which];
    if (few->loop->inside[to]) {
        return few->blocks[to];
    }
    LLVMBasicBlockRef here = simd_here(few->emit), block = simd_new(few->emit, "few.exit");
    simd_at(few->emit, block);
    for (size_t i = 0; i < few->plan->exits.count; i++) {
        const struct simd_edge_name *exit = &few->plan->exits.items[i];
        if (exit->node == node && exit->which == which) {
            leave(few, i);
        }
    }
    simd_at(few->emit, here);
    return block;
}

static void copy_node(struct few *few, unsigned node)
{
    const struct simd_node *at = simd_node(few->emit->kernel, node);
    simd_at(few->emit, few->blocks[node]);
    for (LLVMValueRef i = at->first; i != at->last; i = LLVMGetNextInstruction(i)) {
        copy_instruction(few, i);
    }
    simd_set_debug_location(few->emit, at->last);
    LLVMBasicBlockRef first = target(few, node, 0);
    if (at->end == END_BRANCH) {
        LLVMBuildBr(few->emit->builder, first);
    } else {
        LLVMBasicBlockRef second = target(few, node, 1);
        LLVMBuildCondBr(few->emit->builder, scalar_of(few, at->condition), first, second);
    }
}

static void finish_phis(struct few *few, unsigned node)
{
    const struct simd_kernel *kernel = few->emit->kernel;
    struct simd_edges into = simd_edges_into(few->graph, node, few->loop->inside, true);
    for (LLVMValueRef phi = simd_first_phi(kernel, node); phi != NULL; phi = simd_next_phi(phi)) {
        for (size_t e = 0; e < into.count; e++) {
            unsigned from = into.items[e].node;
            LLVMValueRef value = scalar_of(few, simd_phi_value(kernel, phi, from));
            LLVMAddIncoming(scalar_of(few, phi), &value, &few->blocks[from], 1);
        }
    }
}

/* What the lane enters the loop with, by phi of the header. */
static LLVMValueRef *read_starts(struct few *few)
{
    const struct simd_kernel *kernel = few->emit->kernel;
    unsigned header = few->loop->header;
    LLVMValueRef *values = arena_alloc((simd_count_phis(kernel, header) + 1) * sizeof *values);
    size_t index = 0;
    for (LLVMValueRef phi = simd_first_phi(kernel, header); phi != NULL; phi = simd_next_phi(phi)) {
        values[index] = read(few, &few->starts[index], LLVMTypeOf(phi));
        index++;
    }
    return values;
}

static void enter_loop(struct few *few, LLVMValueRef *values)
{
    size_t index = 0;
    for (LLVMValueRef phi = simd_first_phi(few->emit->kernel, few->loop->header); phi != NULL;
         phi = simd_next_phi(phi)) {
        LLVMAddIncoming(scalar_of(few, phi), &values[index], &few->lanes.head, 1);
        index++;
    }
}

static void copy_loop(struct few *few)
{
    struct simd_emit *emit = few->emit;
    LLVMValueRef *values = read_starts(few);
    for (unsigned n = 0; n < simd_node_count(emit->kernel); n++) {
        few->blocks[n] = few->loop->inside[n] ? simd_new(emit, "few.node") : NULL;
    }
    LLVMBuildBr(emit->builder, few->blocks[few->loop->header]);
    for (size_t i = 0; i < few->graph->count; i++) {
        if (few->loop->inside[few->graph->order[i]]) {
            copy_node(few, few->graph->order[i]);
        }
    }
    for (size_t i = 0; i < few->graph->count; i++) {
        if (few->loop->inside[few->graph->order[i]]) {
            finish_phis(few, few->graph->order[i]);
        }
    }
    enter_loop(few, values);
}

/* ---- after the lanes ---- */

static void reload(struct few *few, struct simd_loop_exit *exits)
{
    struct simd_emit *emit = few->emit;
    for (size_t i = 0; i < few->plan->exits.count; i++) {
        size_t index = 0;
        for (LLVMValueRef phi = simd_first_phi(emit->kernel, few->plan->exits.items[i].to);
             phi != NULL; phi = simd_next_phi(phi)) {
            for (unsigned u = 0; few->results[i][index] != NULL && u < emit->vectors; u++) {
                exits[i].values[index].vector[u] =
                    simd_reload_lanes(emit, few->results[i][index], LLVMTypeOf(phi), u);
            }
            index++;
        }
        for (unsigned u = 0; few->left[i] != NULL && u < emit->vectors; u++) {
            exits[i].left.vector[u] =
                simd_reload_lanes(emit, few->left[i], emit->lower->types.i1, u);
        }
    }
}

void simd_run_few_lanes(struct simd_emit *emit, int loop, const LLVMValueRef *mask,
                        const struct simd_value *phis, struct simd_loop_exit *exits)
{
    const struct simd_version_plan *version = emit->scope.version;
    size_t values = simd_value_count(emit->kernel), nodes = simd_node_count(emit->kernel);
    struct few few = {.emit = emit,
                      .graph = version->graph,
                      .loop = &version->graph->loops[loop],
                      .plan = &version->loops[loop],
                      .sources = arena_alloc((values + 1) * sizeof *few.sources),
                      .scalars = arena_alloc((values + 1) * sizeof *few.scalars),
                      .blocks = arena_alloc((nodes + 1) * sizeof *few.blocks)};
    publish(&few);
    keep_operands(&few);
    keep_results(&few, exits);
    keep_starts(&few, phis);
    few.lanes = simd_begin_lanes(emit, mask, false);
    few.next = simd_new(emit, "few.next");
    start_lane(&few);
    copy_loop(&few);
    simd_at(emit, few.next);
    simd_end_lanes(emit, &few.lanes);
    reload(&few, exits);
}
