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

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/clobber.h"
#include "simd/analysis/convergence.h"
#include "simd/analysis/legality.h"
#include "simd/analysis/shape.h"
#include "simd/emit/access.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/emit/region.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/slots.h"
#include "support/arena.h"

enum { MOST_STEPS = 8, MOST_GUARDS = 4 };

struct finding {
    const struct simd_emit *emit; /* its kernel and slots */
    const struct simd_region *region;
    struct simd_meetings *meetings;
};

/* The load is made where these conditions are as they say. */
struct guard {
    unsigned node;
    unsigned way;
};
struct guards {
    struct guard items[MOST_GUARDS];
    unsigned count;
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
            !simd_leads_to(finding->meetings, at->next[1 - i], node)) {
            return (int)i;
        }
    }
    return -1;
}

/* False: whether threads come to the node is not known when the region begins. */
static bool find_guards(const struct finding *finding, unsigned node, unsigned steps,
                        struct guards *guards)
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
            if (guards->count == MOST_GUARDS ||
                !is_known(finding, graph->kernel->nodes[above].condition, above, steps)) {
                return false;
            }
            guards->items[guards->count++] = (struct guard){above, (unsigned)way};
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
    struct guards guards;
    if (graph->loop_of[node] >= 0 || !find_guards(finding, node, steps, &guards)) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        if (simd_leads_to(finding->meetings, graph->order[i], node) &&
            has_obstacle(graph->kernel, graph->order[i], load)) {
            return false;
        }
    }
    return true;
}

/* The only node of the region from which control comes to this one; -1: several, or none. */
static int only_way_in(const struct simd_graph *graph, unsigned node)
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
static bool is_old(const struct finding *finding, int number, unsigned user)
{
    const struct simd_graph *graph = finding->region->graph;
    unsigned from = (unsigned)graph->kernel->node_of[number];
    return graph->position[from] < 0 || !simd_dominates(graph, from, user);
}

/* What an instruction of the region makes of its operands. */
static bool is_made_of_known(const struct finding *finding, LLVMValueRef value, unsigned steps)
{
    const struct simd_kernel *kernel = finding->emit->kernel;
    unsigned node = (unsigned)kernel->node_of[simd_number(kernel, value)];
    if (LLVMIsAPHINode(value) != NULL) {
        int from = only_way_in(finding->region->graph, node);
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
    const struct simd_emit *emit = finding->emit;
    int number = simd_number(emit->kernel, value);
    if (number < 0) {
        return LLVMIsAConstant(value) != NULL;
    }
    if (emit->kernel->facts->shapes[number].kind > SHAPE_UNIFORM || steps > MOST_STEPS) {
        return false;
    }
    if (emit->kernel->node_of[number] < 0 || simd_can_recompute(emit, value)) {
        return true;
    }
    if (is_old(finding, number, user)) {
        unsigned from = (unsigned)emit->kernel->node_of[number];
        return finding->region->graph->position[from] < 0 ||
               !simd_leads_to(finding->meetings, from, user);
    }
    if (LLVMIsALoadInst(value) == NULL) {
        return is_made_of_known(finding, value, steps);
    }
    if (!finding->region->early[number] && !finding->region->mixed[number] && is_plain(value) &&
        comes_first(finding, value, steps + 1)) {
        finding->region->early[number] = is_made_of_known(finding, value, steps);
    }
    return finding->region->early[number];
}

/* A value that is known so, where the builder is. */
static LLVMValueRef make(const struct finding *finding, struct simd_emit *emit, LLVMValueRef value,
                         unsigned user)
{
    const struct simd_kernel *kernel = emit->kernel;
    int number = simd_number(kernel, value);
    if (number < 0) {
        return value;
    }
    if (kernel->node_of[number] >= 0 && simd_can_recompute(emit, value)) {
        simd_recompute(emit, value);
    }
    if (kernel->node_of[number] < 0 || simd_can_recompute(emit, value) ||
        finding->region->early[number] || is_old(finding, number, user)) {
        return simd_get(emit, value).scalar[0];
    }
    unsigned node = (unsigned)kernel->node_of[number];
    if (LLVMIsAPHINode(value) != NULL) {
        unsigned from = (unsigned)only_way_in(finding->region->graph, node);
        return make(finding, emit, simd_phi_value(kernel, value, from), from);
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = make(finding, emit, LLVMGetOperand(value, i), node);
    }
    LLVMValueRef made = LLVMInstructionClone(value);
    for (unsigned i = 0; i < count; i++) {
        LLVMSetOperand(made, i, operands[i]);
    }
    simd_drop_metadata(emit, value, made);
    LLVMInsertIntoBuilder(emit->builder, made);
    return made;
}

/* Shared memory is always there.  Before the first barrier nobody has stored to it. */
static bool is_shared_at_start(const struct simd_region *region, LLVMValueRef load, unsigned node)
{
    return node == region->entry && node != 0 && simd_is_shared(LLVMGetOperand(load, 0));
}

bool simd_find_hoisted(const struct simd_emit *emit, const struct simd_region *region)
{
    struct simd_kernel *kernel = emit->kernel;
    const struct simd_graph *graph = region->graph;
    struct finding finding = {.emit = emit, .region = region, .meetings = simd_meetings_of(graph)};
    bool changes = false;
    for (size_t v = 0; kernel->traits.barrier_count != 0 && v < kernel->value_count; v++) {
        LLVMValueRef load = kernel->values[v];
        int node = kernel->node_of[v];
        if (node < 0 || graph->position[node] < 0 || LLVMIsALoadInst(load) == NULL ||
            kernel->facts->shapes[v].kind > SHAPE_UNIFORM || simd_can_recompute(emit, load)) {
            continue;
        }
        bool is_clobbered = simd_is_clobbered(finding.meetings, load);
        bool is_wanted = is_clobbered || is_shared_at_start(region, load, (unsigned)node);
        bool is_hoisted = is_wanted && is_known(&finding, load, (unsigned)node, 0);
        if (is_clobbered && !is_hoisted) {
            kernel->facts->is_clobbered[v] = changes = true;
        }
    }
    return changes;
}

/* i1, before the chunks; NULL: it is always made. */
static LLVMValueRef test_guards(const struct finding *finding, struct simd_emit *emit,
                                const struct guards *guards)
{
    LLVMValueRef test = NULL;
    for (unsigned i = guards->count; i-- > 0;) {
        const struct guard *guard = &guards->items[i];
        LLVMValueRef condition = emit->kernel->nodes[guard->node].condition;
        LLVMValueRef holds = make(finding, emit, condition, guard->node);
        holds = guard->way == 0 ? holds : LLVMBuildNot(emit->builder, holds, "");
        test = test == NULL ? holds : simd_both(emit, test, holds);
    }
    return test;
}

static void load_early(const struct finding *finding, struct simd_emit *emit, LLVMValueRef load)
{
    int number = simd_number(emit->kernel, load);
    unsigned node = (unsigned)emit->kernel->node_of[number];
    struct guards guards;
    struct simd_ways ways = {0};
    find_guards(finding, node, 0, &guards);
    LLVMValueRef test = test_guards(finding, emit, &guards);
    LLVMValueRef at = make(finding, emit, LLVMGetOperand(load, 0), node);
    if (test != NULL) {
        ways = simd_part_ways(emit, test, false);
    }
    LLVMValueRef made = simd_load_one(emit, load, at);
    simd_set(emit, load, simd_uniform(made)); /* its slot keeps what it has if there is none */
    if (test != NULL) {
        simd_other_way(emit, &ways, made);
        made = simd_meet(emit, &ways, LLVMConstNull(LLVMTypeOf(load)));
        emit->values[number].scalar[0] = made;
    }
}

void simd_load_hoisted(struct simd_emit *emit, const struct simd_region *region)
{
    const struct simd_kernel *kernel = emit->kernel;
    struct finding finding = {
        .emit = emit, .region = region, .meetings = simd_meetings_of(region->graph)};
    emit->is_hoisted = region->early;
    for (size_t i = 0; i < region->graph->count; i++) {
        const struct simd_node *node = &kernel->nodes[region->graph->order[i]];
        for (LLVMValueRef at = node->first; at != NULL && at != node->last;
             at = LLVMGetNextInstruction(at)) {
            if (region->early[simd_number(kernel, at)]) {
                load_early(&finding, emit, at);
            }
        }
    }
}
