/* Values that live across barriers.
 *
 * A region may use a value that an earlier one computed.  Values that are computed from parameters,
 * indices and constants are recomputed in each chunk.  Others have slots: one scalar for a uniform
 * value, one for each vector, or an element for each thread.
 *
 * If a barrier is in a loop, a value can come from before the barrier at first, and be defined
 * again in the same region, perhaps for some lanes only.  Or it can leave a loop of the region
 * without a phi.  Such a value is a promoted live-in.  It is in a variable of the chunk, which LLVM
 * promotes to registers and phis.  A scalar variable suffices only while all lanes have the old
 * value or all lanes have the new one.  Otherwise the value has divergent reaching definitions, and
 * it is varying.
 *
 * An example in which each case occurs:
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;   recomputed: indices and parameters only
 *     float x = a[i];                                  varying: a slot for each thread
 *     int m = *flags;                                  uniform: one slot for the block
 *     for (int k = 0; k < 8; k++) {                    k: uniform, defined again in each round
 *         s[t] = x; __syncthreads();
 *         x += s[t ^ 1]; __syncthreads();              x: live, and defined again
 *     }
 *
 * Whole-function vectorizers for CPUs, such as PoCL, call the slots context arrays.
 *
 * Takes: a region's graph. Gives: three sets by value number: live, promoted, divergent. Planning
 * counts the bytes (plan/plan.c), and emission lays the slots out (emit/slots.c). */
#include "simd/plan/slots.h"

#include "ir/context.h"
#include "ir/value.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/opcodes.h"
#include "simd/ir/origin.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/thread_fields.h"
#include "simd/plan/plan.h"

#include <llvm-c/Core.h>

enum { MOST_STEPS = 8 };

/* ---- which values ---- */

/* The sets of simd_find_slots(), which the uses of values only add to.
 * Owner: the caller owns the sets. */
struct uses {
    const struct simd_graph *graph;
    bool *live, *promoted, *divergent;
};

/* A barrier in a loop cuts it into smaller loops, which values leave without a phi.
 * In SSA form with loop-closed phis, a value leaves a loop of the kernel by a phi. The loops here
 * are those of a region's graph, for which no such phis were made. */
static bool leaves_loop(const struct simd_graph *graph, unsigned from, unsigned to)
{
    for (size_t i = 0; i < graph->loop_count; i++) {
        if (graph->loops[i].inside[from] && !graph->loops[i].inside[to]) {
            return true;
        }
    }
    return false;
}

/* Lanes that diverge at the branch may define the value before they reconverge, and some lanes may
 * reach the use after the branch.
 *
 * All lanes wait at the branch's postdominator for each other.  So all lanes run a definition there
 * or later together, apart from a phi of a loop's header, which they reach by back edges.
 */
static bool are_reached(const struct simd_graph *graph, unsigned branch, unsigned from,
                        unsigned node)
{
    int stop = graph->ipdom[branch];
    bool is_behind = stop >= 0 && graph->position[stop] > graph->position[branch];
    bool defines = !is_behind && (int)from == stop, is_used = false;
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    unsigned count = simd_graph_next(graph, branch, next, which);
    for (unsigned i = 0; i < count; i++) {
        defines |= simd_graph_reach(graph, next[i], stop)[from];
        is_used |= simd_graph_reach(graph, next[i], -1)[node];
    }
    return defines && is_used;
}

/* Divergent reaching definitions: lanes that define the value again may diverge from others before
 * both reach the use, or reach their own uses in different iterations.  Then some lanes use the new
 * value and others the old one.
 *
 * For example, in a loop around a barrier:
 *
 *     if (x > 0) v = f(v);       // some lanes define v again
 *     use(v);                    // new for some lanes, old for the others
 *
 *     if (x > 0) a[i] = 0;       // all lanes define i again, after the branch: uniform
 *     i++;
 *
 * The first test is for a use that runs before the definition and cannot follow it in the region:
 * all lanes use the old value. */
static bool has_divergent_definitions(const struct simd_graph *graph, unsigned from, unsigned node)
{
    if (graph->position[node] < graph->position[from] && !simd_graph_reach(graph, from, -1)[node]) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        const struct simd_node *at = simd_node(simd_kernel_of(graph), graph->order[i]);
        if (at->end != END_CONDITION || simd_is_uniform(simd_kernel_of(graph), at->condition)) {
            continue;
        }
        if (are_reached(graph, graph->order[i], from, node)) {
            return true;
        }
    }
    return false;
}

/* A phi's operand is used in the node before it, over whose edge it comes; the phi is defined in
 * its own node.
 * `node` is where the value must be available, and `user` is where it is used; for phis they
 * differ. */
static void use(struct uses *uses, LLVMValueRef value, unsigned node, unsigned user)
{
    const struct simd_kernel *kernel = simd_kernel_of(uses->graph);
    int from = value == NULL ? -1 : simd_node_of(kernel, value);
    if (from < 0) {
        return;
    }
    int number = simd_number(kernel, value);
    if (!simd_has_node(uses->graph, from)) {
        uses->live[number] = true;
        return;
    }
    bool is_old = !simd_dominates(uses->graph, (unsigned)from, node);
    uses->live[number] |= is_old;
    if (is_old || leaves_loop(uses->graph, (unsigned)from, node)) {
        uses->promoted[number] = true;
        /* The result of a vote at a barrier is stored when the next region starts. */
        uses->divergent[number] |= simd_vote_of(value) == VOTE_NONE &&
                                   has_divergent_definitions(uses->graph, (unsigned)from, user);
    }
}

/* Phis are used on edges: their operands are read at the end of the node before. */
static void use_in_phis(struct uses *uses, unsigned from)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    const struct simd_kernel *kernel = simd_kernel_of(uses->graph);
    unsigned count = simd_graph_next(uses->graph, from, next, which);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef at = simd_node(kernel, next[i])->first;
        for (; at != NULL && LLVMIsAPHINode(at) != NULL; at = LLVMGetNextInstruction(at)) {
            use(uses, simd_phi_value(kernel, at, from), from, next[i]);
        }
    }
}

/* A barrier with a vote, such as __syncthreads_count(), uses its predicate at the node's end. */
static void use_in_node(struct uses *uses, unsigned node)
{
    const struct simd_node *at = simd_node(simd_kernel_of(uses->graph), node);
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        unsigned count = LLVMIsAPHINode(i) != NULL ? 0 : (unsigned)LLVMGetNumOperands(i);
        for (unsigned j = 0; j < count; j++) {
            use(uses, LLVMGetOperand(i, j), node, node);
        }
    }
    use(uses, at->condition, node, node);
    if (at->end == END_BARRIER && simd_vote_of(at->last) != VOTE_NONE) {
        use(uses, LLVMGetOperand(at->last, 0), node, node);
    }
    use_in_phis(uses, node);
}

void simd_find_slots(const struct simd_graph *graph, bool *live, bool *promoted, bool *divergent)
{
    struct uses uses = {.graph = graph, .live = live, .promoted = promoted, .divergent = divergent};
    for (size_t i = 0; i < graph->count; i++) {
        use_in_node(&uses, graph->order[i]);
    }
}

/* Integer or address arithmetic that does not access memory and cannot trap. */
static bool is_arithmetic(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return simd_is_index_arithmetic(opcode) || opcode == LLVMICmp || opcode == LLVMSelect ||
           opcode == LLVMPtrToInt;
}

/* A division by a constant that is neither 0 nor -1 cannot trap in any lane. */
bool simd_is_computable(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (!simd_is_quotient(opcode)) {
        return is_arithmetic(instruction);
    }
    LLVMValueRef by = LLVMIsAConstantInt(LLVMGetOperand(instruction, 1));
    return by != NULL && !LLVMIsNull(by) && LLVMConstIntGetSExtValue(by) != -1;
}

/* Parameters and memory that LLVM knows to be invariant have the same value in each region. */
static bool is_constant_memory(const struct simd_kernel *kernel, LLVMValueRef load)
{
    int64_t offset;
    unsigned kind = LLVMGetMDKindIDInContext(simd_context_of(kernel)->llvm, "invariant.load", 14);
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    return LLVMGetMetadata(load, kind) != NULL ||
           (base != NULL && base == LLVMGetParam(simd_function_of(kernel), 0));
}

/* The limit of steps bounds the code that each region repeats. A value with a phi, or with a load
 * of other memory, needs a slot. */
static bool can_recompute(const struct simd_kernel *kernel, LLVMValueRef value, unsigned steps)
{
    if (simd_node_of(kernel, value) < 0 || LLVMIsAAllocaInst(value) != NULL) {
        return true;
    }
    if (LLVMIsALoadInst(value) != NULL) {
        return is_constant_memory(kernel, value) &&
               (simd_is_self(value) || can_recompute(kernel, LLVMGetOperand(value, 0), steps + 1));
    }
    if (!is_arithmetic(value)) {
        return false;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++) {
        if (steps > MOST_STEPS || !can_recompute(kernel, LLVMGetOperand(value, i), steps + 1)) {
            return false;
        }
    }
    return true;
}

bool simd_can_recompute(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return can_recompute(kernel, value, 0);
}

/* A lane that leaves a loop of a region early has an older value than the slot. */
static bool is_in_loop(const struct simd_plan *plan, unsigned node)
{
    for (size_t r = 0; r < plan->region_count; r++) {
        const struct simd_graph *graph = plan->regions[r].graph;
        for (size_t i = 0; i < graph->loop_count; i++) {
            if (graph->loops[i].inside[node]) {
                return true;
            }
        }
    }
    return false;
}

/* All lanes have the same value where the region starts, and the region does not define it again.
 * The value at hand is computed from the latest definition: that dominates its own. */
static bool is_leaf(const struct simd_plan *plan, const struct simd_region *region,
                    LLVMValueRef value)
{
    int node = simd_node_of(plan->kernel, value);
    return node >= 0 && simd_is_uniform(plan->kernel, value) &&
           !simd_has_node(region->graph, node) && !is_in_loop(plan, (unsigned)node);
}

static bool is_from_uniforms(const struct simd_plan *plan, const struct simd_region *region,
                             LLVMValueRef value, unsigned steps, struct simd_leaves *leaves)
{
    if (can_recompute(plan->kernel, value, steps)) {
        return true;
    }
    if (is_leaf(plan, region, value)) {
        LOWER_PUSH(leaves->items, leaves->count, (size_t)simd_number(plan->kernel, value));
        return true;
    }
    if (steps > MOST_STEPS || !is_arithmetic(value)) {
        return false;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++) {
        if (!is_from_uniforms(plan, region, LLVMGetOperand(value, i), steps + 1, leaves)) {
            return false;
        }
    }
    return true;
}

bool simd_can_recompute_from_uniforms(const struct simd_plan *plan,
                                      const struct simd_region *region, LLVMValueRef value,
                                      struct simd_leaves *leaves)
{
    return is_from_uniforms(plan, region, value, 0, leaves);
}

void simd_mark_recomputed(const struct simd_kernel *kernel, LLVMValueRef value, bool *known)
{
    int number = simd_number(kernel, value);
    if (number < 0 || known[number]) {
        return;
    }
    known[number] = true;
    bool is_argument = simd_node_of(kernel, value) < 0;
    for (unsigned i = 0; !is_argument && i < (unsigned)LLVMGetNumOperands(value); i++) {
        simd_mark_recomputed(kernel, LLVMGetOperand(value, i), known);
    }
}
