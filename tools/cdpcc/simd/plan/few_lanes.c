/* Loops in which the last lanes run one after the other.
 *
 *     for (k = first[row]; k < first[row + 1]; k++) {
 *         sum += value[k] * x[column[k]];
 *     }
 *
 * If rows differ in length, one lane may need a thousand iterations after all others have left. An
 * iteration under masks takes as long for one lane as for all: a gather reads each lane's element
 * by itself, and the vectors without an active lane are computed, too. So once few lanes are left,
 * each of them runs the rest of the loop as scalar code.
 *
 *     masked iterations while more than six lanes stay; then, for each lane that stays:
 *         the loop of the thread entry, from the lane's values on
 *
 * How few: each lane ends its loop with a mispredicted branch. Even if no lane needs more than one
 * further iteration, that must not take longer than the masked iteration.
 *
 * Which loops: innermost ones, of which each instruction is arithmetic, a plain access or an
 * intrinsic. Their scalar copy needs no identity of a thread, and lanes do not exchange anything in
 * them. */
#include "simd/plan/few_lanes.h"

#include "simd/analysis/uniformity.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/interleaved.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"
#include "simd/plan/access.h"
#include "simd/plan/calls.h"
#include "simd/plan/cost.h"
#include "simd/plan/loops.h"
#include "simd/plan/plan.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* A version with more instructions in the loop would become too long. */
enum { MOST_INSTRUCTIONS = 200 };

/* An address in a local variable whose copies are interleaved: only vector accesses know where the
 * elements are. */
static bool is_interleaved(const struct simd_kernel *kernel, LLVMValueRef value)
{
    while (LLVMIsAGetElementPtrInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    return LLVMIsAAllocaInst(value) != NULL &&
           simd_interleaved_element(simd_context_of(kernel), value) != 0;
}

/* The value has a slot or is promoted, so it lives in memory, which a copy of its definition would
 * have to update. */
static bool is_kept(const struct simd_region *region, LLVMValueRef value)
{
    int number = simd_number(region->plan->kernel, value);
    return number >= 0 && (region->plan->has_slot[number] || region->promoted[number]);
}

static bool is_plain_access(const struct simd_version_plan *version, int number, LLVMValueRef at)
{
    enum simd_access_kind kind = version->accesses[1][number].kind;
    return !LLVMGetVolatile(at) && !simd_is_order(at) && kind != ACCESS_NONE &&
           kind != ACCESS_CONTEXT;
}

static bool may_copy(const struct simd_region *region, const struct simd_version_plan *version,
                     LLVMValueRef at)
{
    int number = simd_number(region->plan->kernel, at);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
        if (is_interleaved(region->plan->kernel, LLVMGetOperand(at, i))) {
            return false;
        }
    }
    if (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) {
        return is_plain_access(version, number, at);
    }
    if (LLVMIsACallInst(at) != NULL) {
        enum simd_call_kind kind = region->plan->calls[number];
        return kind == CALL_VECTOR || kind == CALL_CLAMP || kind == CALL_SATURATE;
    }
    return LLVMIsAAtomicRMWInst(at) == NULL && LLVMIsAAtomicCmpXchgInst(at) == NULL &&
           LLVMIsAFenceInst(at) == NULL && LLVMIsAAllocaInst(at) == NULL;
}

static bool may_copy_node(const struct simd_region *region, const struct simd_version_plan *version,
                          unsigned node, unsigned *count)
{
    const struct simd_node *at = simd_node(region->plan->kernel, node);
    bool is_plain = (at->end == END_BRANCH || at->end == END_CONDITION) && at->match == NULL &&
                    at->first != NULL && at->last != NULL && LLVMIsABranchInst(at->last) != NULL;
    for (LLVMValueRef i = at->first; is_plain && i != at->last; i = LLVMGetNextInstruction(i)) {
        is_plain = !is_kept(region, i) && may_copy(region, version, i);
        ++*count;
    }
    return is_plain;
}

/* All values that leave the loop are vectors: each lane stores its own element. */
static bool has_varying_exits(const struct simd_kernel *kernel, const struct simd_graph *graph,
                              int loop, const struct simd_loop_plan *plan)
{
    for (size_t i = 0; i < plan->exits.count; i++) {
        const struct simd_edge_name *exit = &plan->exits.items[i];
        for (LLVMValueRef phi = simd_first_phi(kernel, exit->to); phi != NULL;
             phi = simd_next_phi(phi)) {
            int node = simd_node_of(kernel, simd_phi_value(kernel, phi, exit->node));
            bool is_inside = node >= 0 && graph->loops[loop].inside[node];
            if (is_inside && !simd_is_varying(kernel, phi)) {
                return false;
            }
        }
    }
    return true;
}

static bool may_copy_loop(const struct simd_path *path, const struct simd_version_plan *version,
                          int loop)
{
    const struct simd_graph *graph = version->graph;
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    unsigned count = 0;
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        if (graph->loops[loop].inside[i] && !may_copy_node(path->region, version, i, &count)) {
            return false;
        }
    }
    return count <= MOST_INSTRUCTIONS && simd_is_innermost(graph, loop) &&
           has_varying_exits(kernel, graph, loop, &version->loops[loop]);
}

unsigned simd_find_few_lanes(const struct simd_path *path, const struct simd_version_plan *version,
                             int loop, unsigned vectors)
{
    const struct simd_plan *plan = path->region->plan;
    if (version->loops[loop].kind != LOOP_DIVERGENT || plan->options.is_cold ||
        !may_copy_loop(path, version, loop)) {
        return 0;
    }
    unsigned lanes = plan->options.lanes * vectors;
    struct simd_cost cost = simd_cost_of_iteration(path, version, loop);
    unsigned few = (unsigned)(cost.block * lanes / cost.thread);
    few = few < lanes / 2 ? few : lanes / 2;
    return few > 1 ? few : 0;
}
