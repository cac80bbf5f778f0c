/* Loads that all chunks share.
 *
 * Behind a barrier, all threads often read one place of shared memory: the sum that the block has
 * made.  Where such a load comes before anything that its region does, one does for the whole
 * block, before the first chunk: what a thread stores without a barrier between may come before or
 * after the others' loads.  It also gives what programs get from a GPU that forget the barrier
 * behind the load, as reductions do that are called twice: there all warps have long read the
 * first sum when one of them stores the second.
 *
 * Likewise a load of other memory that the region's threads may store to behind it: each would
 * have a value of its own otherwise (analysis/clobber.c).  All threads must come to it, since it
 * may fault, or all that pass some branches on uniform conditions, as at the start of a loop's next
 * iteration; and none may have stored there before, as it might have to load that. */
#include "simd/plan/hoist.h"

#include "ir/value.h"
#include "simd/plan/plan.h"
#include <llvm-c/Core.h>

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/clobber.h"
#include "simd/analysis/convergence.h"
#include "simd/analysis/legality.h"
#include "simd/analysis/shape.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/slots.h"

enum { MOST_STEPS = 8 };

struct finding {
    struct simd_region *region;
    struct simd_reachability *reachability;
};

/* The load must come behind it: it may write there, or tell what others have written. */
static bool keeps_back(const struct simd_kernel *kernel, LLVMValueRef at, LLVMValueRef load)
{
    return simd_is_order(at) || simd_warp_operation_of(at) != WARP_NONE ||
           simd_may_clobber(kernel, at, load);
}

/* Something in the node keeps the load back; in its own, before it. */
static bool has_obstacle(const struct simd_kernel *kernel, unsigned number, LLVMValueRef load)
{
    const struct simd_node *node = &kernel->nodes[number];
    for (LLVMValueRef at = node->first; at != NULL && at != node->last && at != load;
         at = LLVMGetNextInstruction(at)) {
        if (keeps_back(kernel, at, load)) {
            return true;
        }
    }
    return false;
}

static bool is_plain(LLVMValueRef load)
{
    return !LLVMGetVolatile(load) && LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic;
}

static bool is_known(const struct finding *finding, LLVMValueRef value, unsigned user,
                     unsigned steps);

/* The way of the branch on which all come to the node, and on the other one nobody does; -1: there
 * is none. */
static int way_to(const struct finding *finding, unsigned branch, unsigned node)
{
    const struct simd_graph *graph = finding->region->graph;
    const struct simd_node *at = &graph->kernel->nodes[branch];
    if (at->end != END_CONDITION || at->match != NULL || graph->loop_of[branch] >= 0 ||
        simd_shape_of(graph->kernel, at->condition).kind > SHAPE_UNIFORM) {
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

/* False: whether threads come to the node is not known when the region begins. */
static bool find_guards(const struct finding *finding, unsigned node, unsigned steps,
                        struct simd_guards *guards)
{
    const struct simd_graph *graph = finding->region->graph;
    guards->count = 0;
    while (node != graph->entry) {
        unsigned above = (unsigned)graph->idom[node];
        int way = simd_postdominates(graph, node, above) ? 0 : way_to(finding, above, node);
        if (way < 0) {
            return false;
        }
        if (!simd_postdominates(graph, node, above)) {
            if (guards->count == SIMD_MOST_GUARDS ||
                !is_known(finding, graph->kernel->nodes[above].condition, above, steps)) {
                return false;
            }
            guards->items[guards->count++] = (struct simd_guard){above, (unsigned)way};
        }
        node = above;
    }
    return true;
}

/* Threads come to the load once, all or none, and nothing on the way keeps it back. */
static bool comes_first(const struct finding *finding, LLVMValueRef load, unsigned steps)
{
    const struct simd_graph *graph = finding->region->graph;
    unsigned node = (unsigned)graph->kernel->node_of[simd_number(graph->kernel, load)];
    struct simd_guards guards;
    if (graph->loop_of[node] >= 0 || !find_guards(finding, node, steps, &guards)) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        if (simd_leads_to(finding->reachability, graph->order[i], node) &&
            has_obstacle(graph->kernel, graph->order[i], load)) {
            return false;
        }
    }
    return true;
}

/* The only node of the region from which control comes to this one; -1: several, or none. */
int simd_only_predecessor(const struct simd_graph *graph, unsigned node)
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

/* It was known when the region began, and the node uses that one. */
bool simd_is_old(const struct simd_graph *graph, int number, unsigned user)
{
    unsigned from = (unsigned)graph->kernel->node_of[number];
    return graph->position[from] < 0 || !simd_dominates(graph, from, user);
}

/* What an instruction of the region makes of its operands. */
static bool is_made_of_known(const struct finding *finding, LLVMValueRef value, unsigned steps)
{
    const struct simd_kernel *kernel = finding->region->graph->kernel;
    unsigned node = (unsigned)kernel->node_of[simd_number(kernel, value)];
    if (LLVMIsAPHINode(value) != NULL) {
        int from = simd_only_predecessor(finding->region->graph, node);
        return from >= 0 && is_known(finding, simd_phi_value(kernel, value, (unsigned)from),
                                     (unsigned)from, steps + 1);
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_known(finding, LLVMGetOperand(value, i), node, steps + 1)) {
            return false;
        }
    }
    return LLVMIsALoadInst(value) != NULL || simd_is_computable(value);
}

static bool is_known(const struct finding *finding, LLVMValueRef value, unsigned user,
                     unsigned steps)
{
    const struct simd_kernel *kernel = finding->region->graph->kernel;
    int number = simd_number(kernel, value);
    if (number < 0) {
        return LLVMIsAConstant(value) != NULL;
    }
    if (kernel->facts->shapes[number].kind > SHAPE_UNIFORM || steps > MOST_STEPS) {
        return false;
    }
    if (kernel->node_of[number] < 0 || simd_can_recompute(kernel, value)) {
        return true;
    }
    if (simd_is_old(finding->region->graph, number, user)) {
        unsigned from = (unsigned)kernel->node_of[number];
        return finding->region->graph->position[from] < 0 ||
               !simd_leads_to(finding->reachability, from, user);
    }
    if (LLVMIsALoadInst(value) == NULL) {
        return is_made_of_known(finding, value, steps);
    }
    if (!finding->region->hoisted[number] && !finding->region->mixed[number] && is_plain(value) &&
        comes_first(finding, value, steps + 1)) {
        finding->region->hoisted[number] = is_made_of_known(finding, value, steps);
    }
    return finding->region->hoisted[number];
}

/* Shared memory is always there.  Before the first barrier nobody has stored to it. */
static bool is_shared_at_start(const struct simd_region *region, LLVMValueRef load, unsigned node)
{
    return node == region->entry && node != 0 && simd_is_shared(LLVMGetOperand(load, 0));
}

bool simd_find_hoisted(struct simd_facts *facts, struct simd_region *region)
{
    const struct simd_graph *graph = region->graph;
    const struct simd_kernel *kernel = graph->kernel;
    struct finding finding = {.region = region, .reachability = simd_reachability_of(graph)};
    bool changes = false;
    for (size_t v = 0; kernel->traits.barrier_count != 0 && v < kernel->value_count; v++) {
        LLVMValueRef load = kernel->values[v];
        int node = kernel->node_of[v];
        if (node < 0 || graph->position[node] < 0 || LLVMIsALoadInst(load) == NULL ||
            kernel->facts->shapes[v].kind > SHAPE_UNIFORM || simd_can_recompute(kernel, load)) {
            continue;
        }
        bool is_clobbered = simd_is_clobbered(finding.reachability, load);
        bool is_wanted = is_clobbered || is_shared_at_start(region, load, (unsigned)node);
        bool is_hoisted = is_wanted && is_known(&finding, load, (unsigned)node, 0);
        if (is_clobbered && !is_hoisted) {
            facts->is_clobbered[v] = changes = true;
        }
    }
    return changes;
}

/* ---- what is known before the chunks ---- */

/* The value as the node uses it is computed there; so all that it is computed from. */
static void mark_computed(struct simd_region *region, LLVMValueRef value, unsigned user)
{
    const struct simd_graph *graph = region->graph;
    const struct simd_kernel *kernel = graph->kernel;
    int number = simd_number(kernel, value);
    if (number < 0) {
        return;
    }
    bool is_argument = kernel->node_of[number] < 0;
    if (is_argument || simd_can_recompute(kernel, value)) {
        simd_mark_recomputed(kernel, value, region->at_start);
    }
    if (is_argument || simd_can_recompute(kernel, value) || region->hoisted[number] ||
        simd_is_old(graph, number, user)) {
        return;
    }
    unsigned node = (unsigned)kernel->node_of[number];
    if (LLVMIsAPHINode(value) != NULL) {
        unsigned from = (unsigned)simd_only_predecessor(graph, node);
        mark_computed(region, simd_phi_value(kernel, value, from), from);
        return;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        mark_computed(region, LLVMGetOperand(value, i), node);
    }
}

static void add_hoist(const struct finding *finding, LLVMValueRef load)
{
    struct simd_region *region = finding->region;
    const struct simd_kernel *kernel = region->graph->kernel;
    int number = simd_number(kernel, load);
    struct simd_hoist hoist = {.load = load, .node = (unsigned)kernel->node_of[number]};
    find_guards(finding, hoist.node, 0, &hoist.guards);
    for (unsigned i = hoist.guards.count; i-- > 0;) {
        unsigned node = hoist.guards.items[i].node;
        mark_computed(region, kernel->nodes[node].condition, node);
    }
    mark_computed(region, LLVMGetOperand(load, 0), hoist.node);
    region->at_start[number] = true;
    LOWER_PUSH(region->hoists, region->hoist_count, hoist);
}

void simd_list_hoisted(struct simd_region *region)
{
    const struct simd_kernel *kernel = region->graph->kernel;
    struct finding finding = {.region = region, .reachability = simd_reachability_of(region->graph)};
    for (size_t i = 0; i < region->graph->count; i++) {
        const struct simd_node *node = &kernel->nodes[region->graph->order[i]];
        for (LLVMValueRef at = node->first; at != NULL && at != node->last;
             at = LLVMGetNextInstruction(at)) {
            if (region->hoisted[simd_number(kernel, at)]) {
                add_hoist(&finding, at);
            }
        }
    }
}
