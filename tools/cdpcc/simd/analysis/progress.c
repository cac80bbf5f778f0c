/* Loops that may wait for what other threads do.
 *
 * Lanes of a vector go around a loop until the last of them leaves it.  A lane that waits for
 * another one, which has left and would go on behind the loop, waits forever; so a loop may
 * not go on or end by anything that another thread can change while it runs: the result of
 * an atomic operation or, where there are fences, any load.  What decides is
 *
 *   - the conditions on which the loop is left,
 *   - those that decide whether control comes to a condition that decides,
 *   - what their operands are computed from within the loop; for a phi with several values,
 *     that is which way control came, so any condition.
 *
 * A load by way of a cache (__ldcg) counts as an atomic one, unless it moves on in each iteration:
 * who polls comes back to the same place.
 *
 * A loop that ends even if nobody else ever moves waits for nobody, whatever decides
 * (ends_alone): one that tries a compare-and-swap with what the last one found until it
 * succeeds, and one that draws numbers from a counter until they are too high.  Nor does it wait
 * for the bound to which it counts up, also in memory: only for what else may end it. */
#include "simd/analysis/progress.h"

#include "simd/analysis/add_recurrence.h"
#include "simd/ir/instructions.h"
#include "ir/value.h"
#include "simd/analysis/legality.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "support/arena.h"

#include <string.h>

enum { MOST_STEPS = 8 };

struct search {
    const struct simd_graph *graph;
    const struct simd_kernel *kernel;
    int loop;
    const bool *inside;
    bool has_fence;
    bool *decides; /* by node: its condition does */
    struct lower_map seen;
    LLVMValueRef *open;
    size_t open_count;
};

/* The node of the loop that computes the value; -1: none does. */
static int node_inside(const struct search *search, LLVMValueRef value)
{
    int number = simd_number(search->kernel, value);
    int node = number < 0 ? -1 : search->kernel->node_of[number];
    return node >= 0 && search->inside[node] ? node : -1;
}

static void add(struct search *search, LLVMValueRef value)
{
    unsigned unused;
    if (value == NULL || node_inside(search, value) < 0 ||
        lower_map_find(&search->seen, value, &unused)) {
        return;
    }
    lower_map_put(&search->seen, value, 1);
    LOWER_PUSH(search->open, search->open_count, value);
}

/* What the bits are taken from. */
static LLVMValueRef bits_of(LLVMValueRef value)
{
    while (LLVMIsABitCastInst(value) != NULL || LLVMIsAPtrToIntInst(value) != NULL ||
           LLVMIsAIntToPtrInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    return value;
}

/* Some turn of the loop ends at the node. */
static bool ends_turn(const struct search *search, unsigned node)
{
    const struct simd_node *at = &search->kernel->nodes[node];
    bool found = false;
    for (unsigned i = 0; search->inside[node] && i < at->next_count; i++) {
        found |= at->next[i] == search->graph->loops[search->loop].header;
    }
    return found;
}

/* No turn of the loop ends without coming to the node. */
static bool is_in_each_turn(const struct search *search, unsigned node)
{
    for (unsigned i = 0; i < search->kernel->node_count; i++) {
        if (ends_turn(search, i) && !simd_dominates(search->graph, node, i)) {
            return false;
        }
    }
    return true;
}

/* While no other thread acts, it is the same in each iteration, but for what the thread itself
 * stores.
 */
static bool is_fixed(const struct search *search, LLVMValueRef value)
{
    while (node_inside(search, value) >= 0) {
        if (LLVMIsALoadInst(value) == NULL && LLVMIsAZExtInst(value) == NULL &&
            LLVMIsASExtInst(value) == NULL && bits_of(value) == value) {
            return false;
        }
        value = LLVMGetOperand(value, 0);
    }
    return true;
}

/* It counts up: a phi of the loop's header to which the same is added in each iteration, or the
 * sum. */
static bool is_counter(const struct search *search, LLVMValueRef value)
{
    const struct simd_graph *graph = search->graph;
    while (LLVMIsAZExtInst(value) != NULL || LLVMIsASExtInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    bool is_sum = LLVMIsABinaryOperator(value) != NULL &&
                  LLVMGetInstructionOpcode(value) == LLVMAdd &&
                  node_inside(search, LLVMGetOperand(value, 1)) < 0;
    LLVMValueRef phi = is_sum ? LLVMGetOperand(value, 0) : value;
    if (LLVMIsAPHINode(phi) == NULL ||
        node_inside(search, phi) != (int)graph->loops[search->loop].header) {
        return false;
    }
    LLVMValueRef step = simd_step_of(graph, search->loop, phi);
    return step != NULL && (LLVMIsAConstantInt(step) == NULL || LLVMConstIntGetSExtValue(step) > 0);
}

/* Which way out is taken once the compared number, which grows, has passed the other one; -1: the
 * comparison is for equality. */
static int way_above(LLVMValueRef comparison)
{
    switch ((int)LLVMGetICmpPredicate(comparison)) {
    case LLVMIntSGE:
    case LLVMIntSGT:
    case LLVMIntUGE:
    case LLVMIntUGT:
        return 0;
    case LLVMIntSLT:
    case LLVMIntSLE:
    case LLVMIntULT:
    case LLVMIntULE:
        return 1;
    default:
        return -1;
    }
}

/* Which way out a counter takes that has come to a bound; -1: the node's condition is not that. */
static int way_of_counter(const struct search *search, const struct simd_node *at)
{
    if (LLVMIsAICmpInst(at->condition) == NULL ||
        !is_counter(search, LLVMGetOperand(at->condition, 0)) ||
        !is_fixed(search, LLVMGetOperand(at->condition, 1))) {
        return -1;
    }
    return way_above(at->condition);
}

/* The loop ends at the node once a counter has come to its bound, whatever other threads do. */
static bool counts_up(const struct search *search, unsigned node)
{
    const struct simd_node *at = &search->kernel->nodes[node];
    int way = at->match != NULL ? -1 : way_of_counter(search, at);
    return way >= 0 && !search->inside[at->next[way]] && is_in_each_turn(search, node);
}

static bool add_condition(struct search *search, unsigned node)
{
    if (search->decides[node] || search->kernel->nodes[node].end != END_CONDITION) {
        return false;
    }
    search->decides[node] = true;
    if (!counts_up(search, node)) {
        add(search, search->kernel->nodes[node].condition);
    }
    return true;
}

static void add_all_conditions(struct search *search)
{
    for (unsigned i = 0; i < search->kernel->node_count; i++) {
        if (search->inside[i]) {
            add_condition(search, i);
        }
    }
}

static bool leaves(const struct search *search, unsigned node)
{
    const struct simd_node *at = &search->kernel->nodes[node];
    bool found = false;
    for (unsigned i = 0; i < at->next_count; i++) {
        found |= !search->inside[at->next[i]];
    }
    return found;
}

/* Conditions with a way on which control surely comes to the node, and one on which not. */
static bool add_deciding(struct search *search, unsigned about)
{
    const bool *escapes = simd_graph_escapes(search->graph, about, search->loop);
    unsigned header = search->graph->loops[search->loop].header;
    bool found = false;
    for (unsigned i = 0; i < search->kernel->node_count; i++) {
        const struct simd_node *at = &search->kernel->nodes[i];
        bool comes = false;
        for (unsigned j = 0; search->inside[i] && escapes[i] && j < at->next_count; j++) {
            comes |= at->next[j] != header && !escapes[at->next[j]];
        }
        found = (comes && add_condition(search, i)) || found;
    }
    return found;
}

/* Conditions that decide whether control comes to others that decide; false: no new ones. */
static bool close_conditions(struct search *search)
{
    bool *done = arena_alloc((search->kernel->node_count + 1) * sizeof *done);
    bool again, found = false;
    do {
        again = false;
        for (unsigned i = 0; i < search->kernel->node_count; i++) {
            if (search->decides[i] && !done[i]) {
                done[i] = true;
                again |= add_deciding(search, i);
            }
        }
        found |= again;
    } while (again);
    return found;
}

/* The phi's value says which way control came within the loop. */
static bool tells_the_way(const struct search *search, LLVMValueRef phi)
{
    LLVMValueRef value = NULL;
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));
        if (node_inside(search, end) < 0) {
            continue;
        }
        if (value != NULL && value != LLVMGetIncomingValue(phi, i)) {
            return true;
        }
        value = LLVMGetIncomingValue(phi, i);
    }
    return false;
}

/* The value is a sum or product of the phi, made of nothing else that the loop changes. */
static bool grows_with(const struct search *search, LLVMValueRef value, LLVMValueRef phi,
                       unsigned steps)
{
    if (value == phi) {
        return true;
    }
    if (node_inside(search, value) < 0 || steps == 0) {
        return false;
    }
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMGetElementPtr:
        break;
    default:
        return false;
    }
    bool found = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        bool grows = grows_with(search, LLVMGetOperand(value, i), phi, steps - 1);
        if (!grows && node_inside(search, LLVMGetOperand(value, i)) >= 0) {
            return false;
        }
        found |= grows;
    }
    return found;
}

/* In each iteration the load reads another place than in all before: its address grows with a
 * counter of the loop. */
static bool moves_on(const struct search *search, LLVMValueRef load)
{
    const struct simd_graph *graph = search->graph;
    LLVMValueRef phi = graph->kernel->nodes[graph->loops[search->loop].header].first;
    for (; phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        if (simd_step_of(graph, search->loop, phi) != NULL &&
            grows_with(search, LLVMGetOperand(load, 0), phi, MOST_STEPS)) {
            return true;
        }
    }
    return false;
}

/* Another thread may change it while the loop runs. */
static bool may_change(const struct search *search, LLVMValueRef at)
{
    if (lower_is_cached(at) && !search->has_fence && moves_on(search, at)) {
        return false;
    }
    return (simd_is_order(at) && LLVMIsAStoreInst(at) == NULL) ||
           (LLVMIsALoadInst(at) != NULL && search->has_fence) ||
           strncmp(simd_callee_name(at), "cdp_abi_cas128", 14) == 0;
}

/* False: nothing of what is open may. */
static bool find_change(struct search *search)
{
    while (search->open_count > 0) {
        LLVMValueRef at = search->open[--search->open_count];
        if (may_change(search, at)) {
            return true;
        }
        if (LLVMIsAPHINode(at) != NULL && tells_the_way(search, at)) {
            add_all_conditions(search);
        }
        unsigned count = (unsigned)LLVMGetNumOperands(at);
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef operand = LLVMGetOperand(at, i);
            if (!LLVMValueIsBasicBlock(operand)) {
                add(search, operand);
            }
        }
    }
    return false;
}

static bool has_fence(const struct simd_kernel *kernel)
{
    for (size_t i = 0; i < kernel->value_count; i++) {
        if (LLVMIsAFenceInst(kernel->values[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* ---- loops that end by themselves ---- */

/* The compare-and-swap whose part this is; NULL: none.  0 is what it found, 1 that it did. */
static LLVMValueRef swap_of(LLVMValueRef value, unsigned part)
{
    if (LLVMIsAExtractValueInst(value) == NULL || LLVMGetIndices(value)[0] != part) {
        return NULL;
    }
    return LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(value, 0));
}

/* In each iteration but the first it expects what the one before has found at the same place:
 * alone, it succeeds in the second. */
static bool learns(const struct search *search, LLVMValueRef swap)
{
    const struct simd_kernel *kernel = search->kernel;
    int header = (int)search->graph->loops[search->loop].header;
    LLVMValueRef expected = bits_of(LLVMGetOperand(swap, 1));
    if (node_inside(search, LLVMGetOperand(swap, 0)) >= 0 || LLVMIsAPHINode(expected) == NULL ||
        node_inside(search, expected) != header) {
        return false;
    }
    for (unsigned i = 0; i < kernel->node_count; i++) {
        if (ends_turn(search, i) &&
            swap_of(bits_of(simd_phi_value(kernel, expected, i)), 0) != swap) {
            return false;
        }
    }
    return true;
}

/* Which way out a swap's success takes; -1: the node's condition is not that. */
static int way_of_success(const struct search *search, const struct simd_node *at)
{
    LLVMValueRef swap = swap_of(at->condition, 1);
    if (swap != NULL) {
        return learns(search, swap) ? 0 : -1;
    }
    if (LLVMIsAICmpInst(at->condition) == NULL) {
        return -1;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(at->condition);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef expected = bits_of(LLVMGetOperand(at->condition, 1 - i));
        swap = swap_of(bits_of(LLVMGetOperand(at->condition, i)), 0);
        if (swap != NULL && expected == bits_of(LLVMGetOperand(swap, 1)) && learns(search, swap) &&
            (predicate == LLVMIntEQ || predicate == LLVMIntNE)) {
            return predicate == LLVMIntEQ ? 0 : 1;
        }
    }
    return -1;
}

/* Which way out a number takes that was drawn too high; -1: the node's condition is not that. */
static int way_of_too_high(const struct search *search, const struct simd_node *at)
{
    LLVMValueRef drawn =
        LLVMIsAICmpInst(at->condition) != NULL ? LLVMGetOperand(at->condition, 0) : NULL;
    if (drawn == NULL || LLVMIsAAtomicRMWInst(drawn) == NULL ||
        LLVMGetAtomicRMWBinOp(drawn) != LLVMAtomicRMWBinOpAdd ||
        node_inside(search, LLVMGetOperand(drawn, 0)) >= 0 ||
        node_inside(search, LLVMGetOperand(at->condition, 1)) >= 0) {
        return -1;
    }
    LLVMValueRef step = LLVMIsAConstantInt(LLVMGetOperand(drawn, 1));
    if (step == NULL || LLVMConstIntGetSExtValue(step) <= 0) {
        return -1;
    }
    return way_above(at->condition);
}

/* A thread leaves the loop some time though no other one does anything. */
static bool ends_alone(const struct search *search)
{
    for (unsigned i = 0; i < search->kernel->node_count; i++) {
        const struct simd_node *at = &search->kernel->nodes[i];
        if (!search->inside[i] || at->end != END_CONDITION || at->match != NULL ||
            !leaves(search, i)) {
            continue;
        }
        int way = way_of_success(search, at);
        way = way < 0 ? way_of_too_high(search, at) : way;
        if (way >= 0 && !search->inside[at->next[way]] && is_in_each_turn(search, i)) {
            return true;
        }
    }
    return false;
}

bool simd_may_wait(const struct simd_graph *graph, int loop)
{
    const struct simd_kernel *kernel = graph->kernel;
    struct search search = {.graph = graph,
                            .kernel = kernel,
                            .loop = loop,
                            .inside = graph->loops[loop].inside,
                            .has_fence = has_fence(kernel),
                            .decides = arena_alloc((kernel->node_count + 1) * sizeof(bool))};
    if (ends_alone(&search)) {
        return false;
    }
    for (unsigned i = 0; i < kernel->node_count; i++) {
        if (search.inside[i] && (leaves(&search, i) || search.has_fence)) {
            add_condition(&search, i);
        }
    }
    close_conditions(&search);
    do {
        if (find_change(&search)) {
            return true;
        }
    } while (close_conditions(&search));
    return false;
}
