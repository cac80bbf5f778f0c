/* Loads that are hoisted out of the chunk loops, since all chunks share them.
 *
 * After a barrier, all threads often read one address in shared memory, such as a sum that the
 * block has computed.  If such a load comes before all effects of its region, one load serves the
 * whole block, before the first chunk.  That is allowed since a store of a thread without a barrier
 * between may come before or after the loads of other threads.  It also gives the result of a GPU
 * to programs that lack the barrier after the load, such as a reduction that is called twice. On a
 * GPU all warps have read the first sum long before one of them stores the second.
 *
 * A load of other memory is hoisted if threads of the region may store to that memory after the
 * load; without hoisting, each chunk would load its own value (analysis/clobber.c).  All threads
 * must reach the load, since it may fault; or all threads that pass some branches on uniform
 * conditions, as at the start of a loop's next iteration.  No thread may have stored there before,
 * since the load might have to read that value.
 *
 * The classic case is the end of a reduction:
 *
 *     __syncthreads();                     __syncthreads();
 *     float sum = s[0];                    float sum = s[0];        // once
 *     out[i] = x / sum;             ->     for each chunk: out[i] = x / sum;
 *
 * A hoisted load runs in the block's code in front of the chunk loop. Its address, and each guard
 * that it needs, must be available there: constants, parameters, indices of the block, uniform
 * values from slots, other hoisted loads, and arithmetic on these. Availability is a search
 * backwards through operands, at most MOST_STEPS deep.
 *
 * Takes: a region's graph, and the facts. Gives: the set of hoisted loads, and later the list with
 * guards, in the graph's order, so that a load comes after the loads on which its address depends.
 * A load that is clobbered and cannot be hoisted is marked in the facts; each chunk then loads for
 * itself, and the value is varying. */
#include "simd/plan/hoist.h"

#include "ir/value.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/clobber.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/plan/early_values.h"
#include "simd/plan/plan.h"
#include "simd/plan/slots.h"

#include <llvm-c/Core.h>

enum { MOST_STEPS = 8 };

/* The search for hoisted loads of one region. */
struct finding {
    struct simd_region *region;
    struct simd_reachability *reachability;
};

/* The load must stay after the instruction: the instruction may write to the load's memory, or
 * synchronize with the writes of others. */
static bool must_stay_before(const struct simd_kernel *kernel, LLVMValueRef at, LLVMValueRef load)
{
    return simd_is_order(at) || simd_warp_operation_of(at) != WARP_NONE ||
           simd_may_clobber(kernel, at, load);
}

/* Some instruction of the node must stay before the load.  In the load's own node, only
 * instructions before the load count.
 * The search ends at the node's last instruction, or at the load. */
static bool has_obstacle(const struct simd_kernel *kernel, unsigned number, LLVMValueRef load)
{
    const struct simd_node *node = simd_node(kernel, number);
    for (LLVMValueRef at = node->first; at != NULL && at != node->last && at != load;
         at = LLVMGetNextInstruction(at)) {
        if (must_stay_before(kernel, at, load)) {
            return true;
        }
    }
    return false;
}

/* Plans that the value, as the node uses it, is available before the chunks; false if it cannot be.
 * A value of an earlier region counts if no new definition reaches the use. Loads that it depends
 * on are marked as hoisted, since the address of one load may depend on another, as in s[t[0]]. */
static bool make_available(const struct finding *finding, LLVMValueRef value, unsigned user,
                           unsigned steps);

/* The edge of the branch on which all threads reach the node, if none reaches it on the other edge;
 * -1: there is no such edge. */
static int edge_to(const struct finding *finding, unsigned branch, unsigned node)
{
    const struct simd_graph *graph = finding->region->graph;
    const struct simd_node *at = simd_node(simd_kernel_of(graph), branch);
    if (at->end != END_CONDITION || at->match != NULL || simd_loop_of(graph, branch) >= 0 ||
        !simd_is_uniform(simd_kernel_of(graph), at->condition)) {
        return -1;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (simd_postdominates(graph, node, at->next[i]) &&
            !simd_leads_to(finding->reachability, at->next[1 - i], node)) {
            return (int)i;
        }
    }
    return -1;
}

/* False: it is unknown at the region's start whether threads reach the node.
 *
 * Climbs the dominator tree from the load to the region's entry. A dominator that the node does
 * not postdominate is a branch that decides whether the load runs; it must be uniform. In
 *
 *     if (k < n) { float sum = s[0]; ... }
 *
 * with a uniform k < n, the load gets one guard, and is emitted under a scalar branch. */
static bool find_guards(const struct finding *finding, unsigned node, unsigned steps,
                        struct simd_guards *guards)
{
    const struct simd_graph *graph = finding->region->graph;
    guards->count = 0;
    while (node != graph->entry) {
        unsigned above = (unsigned)graph->idom[node];
        int edge = simd_postdominates(graph, node, above) ? 0 : edge_to(finding, above, node);
        if (edge < 0) {
            return false;
        }
        if (!simd_postdominates(graph, node, above)) {
            if (guards->count == SIMD_MOST_GUARDS ||
                !make_available(finding, simd_node(simd_kernel_of(graph), above)->condition, above,
                                steps)) {
                return false;
            }
            guards->items[guards->count++] =
                (struct simd_guard){.node = above, .edge = (unsigned)edge};
        }
        node = above;
    }
    return true;
}

/* All threads reach the load once, or none does, and no instruction before it must stay before
 * it.
 * Nodes that can reach the load are those that may run before it in some thread. */
static bool can_run_first(const struct finding *finding, LLVMValueRef load, unsigned steps)
{
    const struct simd_graph *graph = finding->region->graph;
    unsigned node = (unsigned)simd_node_of(simd_kernel_of(graph), load);
    struct simd_guards guards;
    if (simd_loop_of(graph, node) >= 0 || !find_guards(finding, node, steps, &guards)) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        if (simd_leads_to(finding->reachability, graph->order[i], node) &&
            has_obstacle(simd_kernel_of(graph), graph->order[i], load)) {
            return false;
        }
    }
    return true;
}

/* The only predecessor of the node in the region; -1: there are several, or none. */
static int only_predecessor(const struct simd_graph *graph, unsigned node)
{
    int found = -1;
    for (size_t i = 0; i < graph->count; i++) {
        unsigned next[SIMD_NEXT], which[SIMD_NEXT];
        unsigned count = simd_graph_next(graph, graph->order[i], next, which);
        for (unsigned j = 0; j < count; j++) {
            if (next[j] == node && found >= 0) {
                return -1;
            }
            found = next[j] == node ? (int)graph->order[i] : found;
        }
    }
    return node == graph->entry ? -1 : found;
}

/* The value was available when the region began, and the node uses that definition. */
static bool is_old(const struct simd_graph *graph, LLVMValueRef value, unsigned user)
{
    unsigned from = (unsigned)simd_node_of(simd_kernel_of(graph), value);
    return !simd_has_node(graph, from) || !simd_dominates(graph, from, user);
}

/* The same for the operands of an instruction of the region.
 * A phi with one predecessor is a copy. Other phis merge paths, so they are not available. */
static bool make_operands_available(const struct finding *finding, LLVMValueRef value,
                                    unsigned steps)
{
    const struct simd_kernel *kernel = simd_kernel_of(finding->region->graph);
    unsigned node = (unsigned)simd_node_of(kernel, value);
    if (LLVMIsAPHINode(value) != NULL) {
        int from = only_predecessor(finding->region->graph, node);
        return from >= 0 && make_available(finding, simd_phi_value(kernel, value, (unsigned)from),
                                           (unsigned)from, steps + 1);
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!make_available(finding, LLVMGetOperand(value, i), node, steps + 1)) {
            return false;
        }
    }
    return LLVMIsALoadInst(value) != NULL || simd_is_computable(value);
}

static bool make_available(const struct finding *finding, LLVMValueRef value, unsigned user,
                           unsigned steps)
{
    const struct simd_kernel *kernel = simd_kernel_of(finding->region->graph);
    int number = simd_number(kernel, value);
    if (number < 0) {
        return LLVMIsAConstant(value) != NULL;
    }
    if (!simd_is_uniform(kernel, value) || steps > MOST_STEPS) {
        return false;
    }
    if (simd_node_of(kernel, value) < 0 || simd_can_recompute(kernel, value)) {
        return true;
    }
    if (is_old(finding->region->graph, value, user)) {
        unsigned from = (unsigned)simd_node_of(kernel, value);
        return !simd_has_node(finding->region->graph, from) ||
               !simd_leads_to(finding->reachability, from, user);
    }
    if (LLVMIsALoadInst(value) == NULL) {
        return make_operands_available(finding, value, steps);
    }
    if (!finding->region->hoisted[number] && !finding->region->promoted[number] &&
        simd_is_plain_load(value) && can_run_first(finding, value, steps + 1)) {
        finding->region->hoisted[number] = make_operands_available(finding, value, steps);
    }
    return finding->region->hoisted[number];
}

/* Shared memory is always mapped, and before the first barrier no thread has stored to it.
 * The load is in the region's first node. The region of the kernel's entry does not count. */
static bool is_shared_at_start(const struct simd_region *region, LLVMValueRef load, unsigned node)
{
    return node == region->entry && node != 0 && simd_is_shared(LLVMGetOperand(load, 0));
}

bool simd_find_hoisted(struct simd_facts *facts, struct simd_region *region)
{
    const struct simd_graph *graph = region->graph;
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct finding finding = {.region = region, .reachability = simd_reachability_of(graph)};
    bool changes = false;
    for (size_t v = 0; simd_traits_of(kernel)->barrier_count != 0 && v < simd_value_count(kernel);
         v++) {
        LLVMValueRef load = simd_value_at(kernel, v);
        int node = simd_node_of_number(kernel, v);
        if (!simd_has_node(graph, node) || LLVMIsALoadInst(load) == NULL ||
            !simd_is_uniform(kernel, simd_value_at(kernel, v)) ||
            simd_can_recompute(kernel, load)) {
            continue;
        }
        bool is_clobbered = simd_is_clobbered(finding.reachability, load);
        bool is_wanted = is_clobbered || is_shared_at_start(region, load, (unsigned)node);
        bool is_hoisted = is_wanted && make_available(&finding, load, (unsigned)node, 0);
        if (is_clobbered && !is_hoisted) {
            facts->is_clobbered[v] = changes = true;
        }
    }
    return changes;
}

/* ---- values that are available before the chunks ---- */

/* The value, as the node uses it, for code before the chunks.  What is computed there again is
 * marked as available. */
static const struct simd_early_value *early_value_of(struct simd_region *region, LLVMValueRef value,
                                                     unsigned user)
{
    const struct simd_graph *graph = region->graph;
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    int number = simd_number(kernel, value);
    if (number < 0) {
        return simd_early_value(EARLY_GIVEN, value);
    }
    bool is_argument = simd_node_of(kernel, value) < 0;
    if (is_argument || simd_can_recompute(kernel, value)) {
        simd_mark_recomputed(kernel, value, region->at_start);
        return simd_early_value(is_argument ? EARLY_AVAILABLE : EARLY_RECOMPUTED, value);
    }
    if (region->hoisted[number] || is_old(graph, value, user)) {
        return simd_early_value(EARLY_AVAILABLE, value);
    }
    unsigned node = (unsigned)simd_node_of(kernel, value);
    if (LLVMIsAPHINode(value) != NULL) {
        unsigned from = (unsigned)only_predecessor(graph, node);
        return early_value_of(region, simd_phi_value(kernel, value, from), from);
    }
    struct simd_early_value *result = simd_early_clone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        result->operands[i] = early_value_of(region, LLVMGetOperand(value, i), node);
    }
    return result;
}

/* Marks the address and the guards' conditions before the load itself: emission computes them all.
 */
static void add_hoist(const struct finding *finding, LLVMValueRef load)
{
    struct simd_region *region = finding->region;
    const struct simd_kernel *kernel = simd_kernel_of(region->graph);
    int number = simd_number(kernel, load);
    unsigned node = (unsigned)simd_node_of(kernel, load);
    struct simd_hoist hoist = {.load = load};
    find_guards(finding, node, 0, &hoist.guards);
    for (unsigned i = hoist.guards.count; i-- > 0;) {
        struct simd_guard *guard = &hoist.guards.items[i];
        guard->condition =
            early_value_of(region, simd_node(kernel, guard->node)->condition, guard->node);
    }
    hoist.address = early_value_of(region, LLVMGetOperand(load, 0), node);
    region->at_start[number] = true;
    LOWER_PUSH(region->hoists, region->hoist_count, hoist);
}

void simd_list_hoisted(struct simd_region *region)
{
    const struct simd_kernel *kernel = simd_kernel_of(region->graph);
    struct finding finding = {.region = region,
                              .reachability = simd_reachability_of(region->graph)};
    for (size_t i = 0; i < region->graph->count; i++) {
        const struct simd_node *node = simd_node(kernel, region->graph->order[i]);
        for (LLVMValueRef at = node->first; at != NULL && at != node->last;
             at = LLVMGetNextInstruction(at)) {
            if (region->hoisted[simd_number(kernel, at)]) {
                add_hoist(&finding, at);
            }
        }
    }
}
