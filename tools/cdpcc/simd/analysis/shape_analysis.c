/* Shapes: an optimistic fixed point over the whole kernel.
 *
 * Two things make a value varying although its operands are not: a phi at which the paths of a
 * divergent branch join, and a value that is used outside of a loop that lanes leave in different
 * iterations.
 *
 * In the literature this is divergence analysis joined with stride analysis. Each value has a
 * shape in a lattice, from the strongest to the weakest:
 *
 *     UNKNOWN < UNIFORM < WARP < VECTOR < LINEAR (of one stride) < VARYING
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;   LINEAR, stride 1
 *     float *p = a + 2 * i;                            LINEAR, stride 8 bytes
 *     int k = n / 2;                                   UNIFORM
 *     float x = *p;                                    VARYING
 *     float y = x > 0 ? 1 : 2;                         VARYING: a select by a varying condition
 *     if (x > 0) k = f(k);                             VARYING: a phi below a divergent branch
 *
 * All values but arguments start as UNKNOWN. A pass over the nodes in reverse postorder computes
 * each value from its operands (analysis/transfer.c) and each phi from its incoming values. A
 * branch whose condition is not uniform marks the nodes where its paths join. The passes repeat
 * until no shape and no mark changes.
 *
 * The analysis starts from the strongest shape, so that a loop's counter can be uniform. The phi
 * depends on itself, and a pessimistic start would make it varying.
 *
 * Takes: nodes, values, and the facts is_forced and is_clobbered. Gives: shapes, tests, and
 * needs_test. */
#include "simd/analysis/shape_analysis.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/loop_bounds.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/transfer.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "support/arena.h"

/* If two shapes are unequal, the fixed point needs another iteration. */
static bool same(struct simd_shape a, struct simd_shape b)
{
    return a.kind == b.kind && a.stride == b.stride && a.is_signed_exact == b.is_signed_exact &&
           a.is_unsigned_exact == b.is_unsigned_exact && a.check == b.check;
}

/* ---- the fixed point ---- */

/* How finely lanes diverge: not at all, by warps, by vectors, or each lane by itself. */
enum divergence { DIVERGENCE_NONE, DIVERGENCE_WARPS, DIVERGENCE_VECTORS, DIVERGENCE_LANES };

/* The state of the fixed point. Lives as long as simd_shapes(); divergence only grows. */
struct shaping {
    const struct simd_kernel *kernel;
    struct simd_facts *facts; /* the kernel's */
    struct simd_graph *graph;
    /* By node: the strongest divergence of branches whose paths join there. */
    enum divergence *joins;
    enum divergence *spread; /* by node: the divergence of its branch that has been propagated */
    enum divergence *exits;  /* by loop: the divergence of its exits */
};

/* Sets *changed if the divergence grows. */
static void raise_shape(enum divergence *divergence, enum divergence to, bool *changed)
{
    if (*divergence < to) {
        *divergence = to;
        *changed = true;
    }
}

/* The divergence of a value that is computed in a loop and used where lanes have left it in
 * different iterations.
 * For example, in while (x > 1) { x = f(x); n++; } each lane leaves with an n of its own, although
 * n is uniform within the loop. */
static enum divergence exit_divergence(const struct shaping *shaping, LLVMValueRef value,
                                       unsigned node)
{
    int from = simd_node_of(shaping->kernel, value);
    enum divergence most = DIVERGENCE_NONE;
    if (from < 0) {
        return most;
    }
    for (size_t l = 0; l < shaping->graph->loop_count; l++) {
        const bool *inside = shaping->graph->loops[l].inside;
        if (inside[from] && !inside[node] && shaping->exits[l] > most) {
            most = shaping->exits[l];
        }
    }
    return most;
}

/* The shape of a value that lanes, vectors or warps may have got by different paths. */
static struct simd_shape weaken(struct simd_shape shape, enum divergence by)
{
    if (by == DIVERGENCE_LANES) {
        return simd_varying_shape;
    }
    enum simd_shape_kind least = by == DIVERGENCE_NONE    ? SHAPE_UNKNOWN
                                 : by == DIVERGENCE_WARPS ? SHAPE_WARP
                                                          : SHAPE_VECTOR;
    shape.kind = shape.kind < least ? least : shape.kind;
    return shape;
}

/* A counter of neighbouring numbers does not wrap around between lanes if its loop's condition
 * bounds it. */
static struct simd_shape counter_shape(LLVMValueRef phi, struct simd_shape shape)
{
    if (shape.kind == SHAPE_LINEAR && (shape.stride == 1 || shape.stride == -1)) {
        shape.is_signed_exact |= simd_is_bounded(phi, true);
        shape.is_unsigned_exact |= simd_is_bounded(phi, false);
    }
    return shape;
}

/* A value with a check cannot be merged: the check would have to be merged, too. */
static struct simd_shape phi_shape(const struct shaping *shaping, LLVMValueRef phi, unsigned node)
{
    struct simd_shape result = {.kind = SHAPE_UNKNOWN};
    enum divergence divergence = shaping->joins[node];
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        struct simd_shape shape = *simd_shape_of(shaping->kernel, value);
        enum divergence diverged = exit_divergence(shaping, value, node);
        divergence = diverged > divergence ? diverged : divergence;
        result = simd_meet_shapes(result, shape);
    }
    if (result.kind == SHAPE_UNKNOWN) {
        return result;
    }
    return result.check != CHECK_NONE ? simd_varying_shape
                                      : counter_shape(phi, weaken(result, divergence));
}

/* A condition with a check counts as a condition of each lane, since the check may fail. */
static enum divergence branch_divergence(const struct shaping *shaping, unsigned node)
{
    const struct simd_node *at = simd_node(shaping->kernel, node);
    if (at->end != END_CONDITION) {
        return DIVERGENCE_NONE;
    }
    struct simd_shape shape = *simd_shape_of(shaping->kernel, at->condition);
    if (shape.kind <= SHAPE_UNIFORM) {
        return DIVERGENCE_NONE;
    }
    if (shape.check != CHECK_NONE || shape.kind > SHAPE_VECTOR) {
        return DIVERGENCE_LANES;
    }
    return shape.kind == SHAPE_VECTOR ? DIVERGENCE_VECTORS : DIVERGENCE_WARPS;
}

/* Propagates the divergence of the node's branch to the nodes of the loop that both its edges lead
 * to, within one iteration. Nodes outside are marked for the loop around it, if the lanes leave
 * this one in different iterations. `inner` is the loop handled before, whose own nodes are done.
 * A node where paths join is one that both edges reach, up to the node of reconvergence, which is
 * one itself. If both edges lead to the next iteration, their paths join at the loop's header. */
static void mark_joins(struct shaping *shaping, unsigned node, enum divergence how,
                       const int loops[2] /* the loop, and the inner one */, bool *changed)
{
    const struct simd_graph *graph = shaping->graph;
    const struct simd_node *at = simd_node(shaping->kernel, node);
    int reconvergence = simd_graph_reconvergence(graph, node, loops[0]);
    int stop = reconvergence >= 0 ? reconvergence : -1;
    struct simd_reach left = simd_graph_reach_in_iteration(graph, at->next[0], stop, loops[0]);
    struct simd_reach right = simd_graph_reach_in_iteration(graph, at->next[1], stop, loops[0]);
    for (unsigned i = 0; i < simd_node_count(shaping->kernel); i++) {
        bool is_in_loop = loops[0] < 0 || graph->loops[loops[0]].inside[i];
        bool is_in_inner = loops[1] >= 0 && graph->loops[loops[1]].inside[i];
        bool is_join = (int)i == stop || (left.nodes[i] && right.nodes[i]);
        if (is_join && is_in_loop && !is_in_inner) {
            raise_shape(&shaping->joins[i], how, changed);
        }
    }
    if (left.iterates && right.iterates) {
        raise_shape(&shaping->joins[graph->loops[loops[0]].header], how, changed);
    }
}

/* Goes outwards from the branch's loop: as long as lanes leave a loop in different iterations, they
 * also diverge in the loop around it. A branch is spread again only if its divergence has grown.
 */
static void spread_divergence(struct shaping *shaping, unsigned node, bool *changed)
{
    enum divergence how = branch_divergence(shaping, node);
    if (how == DIVERGENCE_NONE || shaping->spread[node] >= how) {
        return;
    }
    shaping->spread[node] = how;
    const struct simd_graph *graph = shaping->graph;
    int loops[2] = {simd_loop_of(graph, node), -1};
    for (;;) {
        mark_joins(shaping, node, how, loops, changed);
        if (loops[0] < 0 || !simd_graph_exits_diverge(graph, node, loops[0])) {
            return;
        }
        raise_shape(&shaping->exits[loops[0]], how, changed);
        loops[1] = loops[0];
        loops[0] = graph->loops[loops[0]].parent;
    }
}

/* True: some shape or mark has changed, so another pass is needed. */
static bool shape_node(struct shaping *shaping, unsigned node)
{
    const struct simd_kernel *kernel = shaping->kernel;
    struct simd_facts *facts = shaping->facts;
    const struct simd_node *at = simd_node(kernel, node);
    bool changed = false;
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        int number = simd_number(kernel, i);
        bool is_phi = LLVMGetInstructionOpcode(i) == LLVMPHI;
        struct simd_shape result =
            is_phi ? phi_shape(shaping, i, node) : simd_transfer(kernel, i, &facts->tests[number]);
        if (facts->is_forced[number] && result.kind != SHAPE_UNKNOWN) {
            result = simd_varying_shape;
        }
        if (!same(result, facts->shapes[number])) {
            facts->shapes[number] = result;
            changed = true;
        }
    }
    spread_divergence(shaping, node, &changed);
    return changed;
}

/* Flags do not promise that the affine shape holds where all lanes are active.  It needs the
 * instruction's own test, or an operand's. */
static bool needs_test(const struct simd_kernel *kernel, LLVMValueRef instruction)
{
    const struct simd_facts *facts = simd_facts_of(kernel);
    enum simd_test test = facts->tests[simd_number(kernel, instruction)];
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    unsigned only = test == TEST_CHOICE ? simd_choice_of(kernel, instruction) : count;
    bool found = test != TEST_NONE && !simd_is_flagged(kernel, instruction, test);
    for (unsigned i = 0; i < count && !found; i++) {
        int number = simd_number(kernel, LLVMGetOperand(instruction, i));
        found = number >= 0 && (only == count || i == only) &&
                facts->shapes[number].check != CHECK_NONE && facts->needs_test[number];
    }
    return found;
}

/* In reverse postorder, operands are visited before their uses; phis have no tests. */
static void find_needed_tests(const struct simd_kernel *kernel, struct simd_facts *facts,
                              const struct simd_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct simd_node *at = simd_node(kernel, graph->order[i]);
        for (LLVMValueRef j = at->first; j != NULL && j != at->last;
             j = LLVMGetNextInstruction(j)) {
            int number = simd_number(kernel, j);
            facts->needs_test[number] =
                facts->shapes[number].check != CHECK_NONE && needs_test(kernel, j);
        }
    }
}

void simd_shapes(const struct simd_kernel *kernel, struct simd_facts *facts)
{
    struct shaping shaping = {
        .kernel = kernel,
        .facts = facts,
        .graph = simd_graph_build(kernel, 0, true, NULL),
        .joins = arena_alloc((simd_node_count(kernel) + 1) * sizeof(enum divergence)),
    };
    shaping.spread = arena_alloc((simd_node_count(kernel) + 1) * sizeof(enum divergence));
    shaping.exits = arena_alloc((shaping.graph->loop_count + 1) * sizeof(enum divergence));
    const struct simd_shape *arguments = simd_variant_of(kernel)->arguments;
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        bool is_argument = simd_node_of_number(kernel, i) < 0;
        bool is_same = is_argument || simd_vote_of(simd_value_at(kernel, i)) != VOTE_NONE;
        facts->shapes[i] = is_argument && arguments != NULL ? arguments[i]
                           : is_same ? simd_uniform_shape
                                     : (struct simd_shape){.kind = SHAPE_UNKNOWN};
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < shaping.graph->count; i++) {
            changed |= shape_node(&shaping, shaping.graph->order[i]);
        }
    }
    find_needed_tests(kernel, facts, shaping.graph);
}
