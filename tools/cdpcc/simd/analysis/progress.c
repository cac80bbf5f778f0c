/* Forward progress: loops that may wait for what other threads do.
 *
 * The lanes of a vector iterate until the last of them leaves the loop.  If a lane waits for
 * another one that has already left, and that would continue after the loop, it waits forever.  So
 * the number of iterations must not depend on anything that another thread can change while the
 * loop runs: the result of an atomic operation or, where there are fences, any load.  It depends on
 *   - the conditions on which the loop is left,
 *   - the conditions that decide whether such a condition is reached,
 *   - the values within the loop from which their operands are computed; a phi with several values
 *     depends on the path taken, so on any condition.
 *
 * A volatile load, and one that bypasses a cache level (__ldcg), counts as atomic, unless its
 * address advances in each iteration: a polling loop loads from the same address again.  A volatile
 * load of shared memory to which no thread stores before the next barrier does not count.  In a
 * loop that reads what other blocks write, by a volatile or atomic load or by atomicAdd(flag, 0),
 * any load counts: one thread may poll, and pass what it has read on to others.
 *
 * A loop that ends even if no other thread advances does not wait, whatever its conditions are
 * (ends_by_itself).  There are two such forms.  One repeats a compare-and-swap with the value that
 * the last one found, until it succeeds.  The other draws numbers from a counter until they are too
 * high.  A loop also does not wait if it counts up to a bound, even if the bound is in memory; then
 * only its other exits count.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) { }           waits: refused
 *     while (!*(volatile int *)flag) { }                waits: refused
 *     do { old = seen; seen = atomicCAS(p, old, f(old)); } while (seen != old);    ends by itself
 *     while ((k = atomicAdd(&next, 1)) < n) work(k);    ends by itself, also if one lane draws for
 *                                                       its warp
 *     while (node != NULL) node = node->next;           does not wait, if the kernel has no fence
 *     for (; i < n; i++) if (atomicCAS(&slots[i], 0, x) == 0) break;     does not wait, see below
 *
 * The last one inserts into a hash table by linear probing.  A compare-and-swap with a constant
 * changes only a slot that holds the constant, and then its thread leaves the loop.  If nothing
 * else in the kernel writes to the table, no thread of the grid frees a slot that another one has
 * found taken.  A search without a bound may still wait for another grid that frees slots.
 *
 * The search is a backward slice with control dependences. It starts with the conditions of the
 * loop's exits and follows operands within the loop. Where a phi depends on the path taken, all
 * conditions of the loop join. The work list holds each value once.
 *
 * What CUDA promises: threads of a warp make independent progress since Volta. Lanes of a vector do
 * not, so kernels with such loops have only thread entries. */
#include "simd/analysis/progress.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/analysis/add_recurrence.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/clobber.h"
#include "simd/ir/alternatives.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/region_cfg.h"
#include "simd/ir/values.h"
#include "support/arena.h"

#include <string.h>

enum { MOST_STEPS = 8 };

/* The search for a value of one loop that other threads may change.  Lives as long as
 * simd_may_wait(). */
struct search {
    const struct simd_graph *graph;
    const struct simd_kernel *kernel;
    int loop;
    const bool *inside;
    bool has_fence;
    /* Other blocks may change a value that the loop reads.  The threads of a block may pass it on
     * by plain accesses, across a barrier in the loop. */
    bool reads_others;
    bool *decides; /* by node: its condition decides */
    struct lower_map seen;
    LLVMValueRef *open;
    size_t open_count;
};

/* The node of the loop that computes the value; -1: it is computed outside.
 * Values from outside are constants for the loop. */
static int node_inside(const struct search *search, LLVMValueRef value)
{
    int node = simd_node_of(search->kernel, value);
    return node >= 0 && search->inside[node] ? node : -1;
}

/* Puts a value on the work list, once. */
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

/* The value without casts that preserve its bits.
 * A compare-and-swap of floats compares their bits. */
static LLVMValueRef bits_of(LLVMValueRef value)
{
    while (LLVMIsABitCastInst(value) != NULL || LLVMIsAPtrToIntInst(value) != NULL ||
           LLVMIsAIntToPtrInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    return value;
}

/* Some iteration of the loop ends at the node. */
static bool ends_iteration(const struct search *search, unsigned node)
{
    const struct simd_node *at = simd_node(search->kernel, node);
    bool found = false;
    for (unsigned i = 0; search->inside[node] && i < at->next_count; i++) {
        found |= at->next[i] == search->graph->loops[search->loop].header;
    }
    return found;
}

/* No iteration of the loop ends without reaching the node. */
static bool is_in_each_iteration(const struct search *search, unsigned node)
{
    for (unsigned i = 0; i < simd_node_count(search->kernel); i++) {
        if (ends_iteration(search, i) && !simd_dominates(search->graph, node, i)) {
            return false;
        }
    }
    return true;
}

/* While no other thread acts, the value is the same in each iteration, apart from what the thread
 * itself stores.
 * For example, the bound n in while (i < *n): only a thread's own stores may change it. */
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

/* A counter: a phi of the loop's header to which the same value is added in each iteration, or the
 * sum.
 * The step must be positive if it is a constant. */
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

/* The outgoing edge that is taken once the compared number, which grows, has passed the other one;
 * -1: the comparison tests equality. */
static int edge_above(LLVMValueRef comparison)
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

/* The outgoing edge that is taken once a counter has reached its bound; -1: the condition is not
 * such a test. */
static int edge_of_counter(const struct search *search, LLVMValueRef condition)
{
    if (LLVMIsAICmpInst(condition) == NULL || !is_counter(search, LLVMGetOperand(condition, 0)) ||
        !is_fixed(search, LLVMGetOperand(condition, 1))) {
        return -1;
    }
    return edge_above(condition);
}

/* Each iteration comes to the node, and its edge leaves the loop. */
static bool always_leaves(const struct search *search, unsigned node, int edge)
{
    return edge >= 0 && !search->inside[simd_node(search->kernel, node)->next[edge]] &&
           is_in_each_iteration(search, node);
}

/* The loop ends at the node once a counter has reached its bound, whatever other threads do.
 * A break elsewhere in the loop still counts, by its own condition. */
static bool counts_up(const struct search *search, unsigned node)
{
    const struct simd_node *at = simd_node(search->kernel, node);
    int edge = at->match != NULL ? -1 : edge_of_counter(search, at->condition);
    return always_leaves(search, node, edge);
}

/* False if the node has no condition, or if it has been added before. */
static bool add_condition(struct search *search, unsigned node)
{
    if (search->decides[node] || simd_node(search->kernel, node)->end != END_CONDITION) {
        return false;
    }
    search->decides[node] = true;
    if (!counts_up(search, node)) {
        add(search, simd_node(search->kernel, node)->condition);
    }
    return true;
}

static void add_all_conditions(struct search *search)
{
    for (unsigned i = 0; i < simd_node_count(search->kernel); i++) {
        if (search->inside[i]) {
            add_condition(search, i);
        }
    }
}

static bool leaves(const struct search *search, unsigned node)
{
    const struct simd_node *at = simd_node(search->kernel, node);
    bool found = false;
    for (unsigned i = 0; i < at->next_count; i++) {
        found |= !search->inside[at->next[i]];
    }
    return found;
}

/* Adds the conditions that decide whether the node is reached: one edge surely leads to it, and the
 * other one may not.
 * This is control dependence within one iteration. */
static bool add_deciding(struct search *search, unsigned about)
{
    const bool *escapes = simd_graph_escapes(search->graph, about, search->loop);
    unsigned header = search->graph->loops[search->loop].header;
    bool found = false;
    for (unsigned i = 0; i < simd_node_count(search->kernel); i++) {
        const struct simd_node *at = simd_node(search->kernel, i);
        bool may_reach = false;
        for (unsigned j = 0; search->inside[i] && escapes[i] && j < at->next_count; j++) {
            may_reach |= at->next[j] != header && !escapes[at->next[j]];
        }
        found = (may_reach && add_condition(search, i)) || found;
    }
    return found;
}

/* Adds the conditions that decide whether deciding conditions are reached.  False: there are no new
 * ones. */
static bool add_all_deciding(struct search *search)
{
    bool *done = arena_alloc((simd_node_count(search->kernel) + 1) * sizeof *done);
    bool again, found = false;
    do {
        again = false;
        for (unsigned i = 0; i < simd_node_count(search->kernel); i++) {
            if (search->decides[i] && !done[i]) {
                done[i] = true;
                again |= add_deciding(search, i);
            }
        }
        found |= again;
    } while (again);
    return found;
}

/* The phi's value depends on the path taken within the loop. */
static bool depends_on_path(const struct search *search, LLVMValueRef phi)
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

/* Not each product or extension grows: the factor may be zero, and a counter of few bits comes
 * back. One of 32 bits only does after the loop has read all of 2^32 elements. */
static bool keeps_growing(LLVMValueRef value)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMMul || opcode == LLVMShl) {
        return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL &&
               (opcode == LLVMShl || !LLVMIsNull(LLVMGetOperand(value, 1)));
    }
    return LLVMIsACastInst(value) == NULL ||
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) >= 32;
}

/* The value is a sum or product of the phi and of values that the loop does not change.
 * For example, the address of a[i * 2 + 1] for the counter i. */
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
    if (!keeps_growing(value)) {
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

/* The load's address grows with a counter of the loop, so each iteration reads a new address. */
static bool advances(const struct search *search, LLVMValueRef load)
{
    const struct simd_graph *graph = search->graph;
    LLVMValueRef phi = simd_node(simd_kernel_of(graph), graph->loops[search->loop].header)->first;
    for (; phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        if (simd_step_of(graph, search->loop, phi) != NULL &&
            grows_with(search, LLVMGetOperand(load, 0), phi, MOST_STEPS)) {
            return true;
        }
    }
    return false;
}

/* No thread of the block stores to the memory between the two barriers where the load runs, and no
 * other block can reach it.  For example, a flag in shared memory that is set before a barrier. */
static bool is_fixed_between_barriers(const struct simd_kernel *kernel, LLVMValueRef load)
{
    unsigned node = (unsigned)simd_node_of(kernel, load);
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        const struct simd_graph *region =
            simd_starts_region(kernel, i) ? simd_graph_build(kernel, i, false, NULL) : NULL;
        for (size_t v = 0;
             region != NULL && simd_has_node(region, node) && v < simd_value_count(kernel); v++) {
            if (simd_has_node(region, simd_node_of_number(kernel, v)) &&
                simd_may_clobber(kernel, simd_value_at(kernel, v), load)) {
                return false;
            }
        }
    }
    return true;
}

/* A volatile load whose value another thread may change. */
static bool is_exchange(const struct simd_kernel *kernel, LLVMValueRef load)
{
    return simd_is_volatile(load) &&
           (simd_keeps_volatile(load) || !is_fixed_between_barriers(kernel, load));
}

/* The compare-and-swap of whose result the value is an element; NULL: none.  LLVM's cmpxchg gives a
 * pair: element 0 is the value that it found, element 1 is whether it succeeded. */
static LLVMValueRef swap_of(LLVMValueRef value, unsigned element)
{
    if (LLVMIsAExtractValueInst(value) == NULL || LLVMGetIndices(value)[0] != element) {
        return NULL;
    }
    return LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(value, 0));
}

/* ---- searches for a free slot ---- */

/* The value of a comparison in some situation, which may be about a swap: 1 or 0; -1: unknown. */
typedef int evaluation(const struct search *search, LLVMValueRef condition, LLVMValueRef swap);

/* Where the swap has found the value that it expects. */
static int after_success(const struct search *search, LLVMValueRef condition, LLVMValueRef swap)
{
    (void)search;
    if (swap_of(condition, 1) == swap) {
        return 1;
    }
    if (LLVMIsAICmpInst(condition) == NULL ||
        swap_of(bits_of(LLVMGetOperand(condition, 0)), 0) != swap ||
        LLVMGetOperand(condition, 1) != LLVMGetOperand(swap, 1)) {
        return -1;
    }
    LLVMIntPredicate how = LLVMGetICmpPredicate(condition);
    return how == LLVMIntEQ ? 1 : how == LLVMIntNE ? 0 : -1;
}

/* Where a counter has reached its bound. */
static int at_bound(const struct search *search, LLVMValueRef condition, LLVMValueRef swap)
{
    (void)swap;
    int edge = edge_of_counter(search, condition);
    return edge < 0 ? -1 : edge == 0;
}

static int value_where(const struct search *search, LLVMValueRef condition, evaluation *situation,
                       LLVMValueRef swap, unsigned steps)
{
    int value = situation(search, condition, swap);
    struct simd_alternatives parts = simd_alternatives_of(condition);
    if (value >= 0 || parts.strong < 0 || steps == 0) {
        return value;
    }
    int a = value_where(search, parts.first, situation, swap, steps - 1);
    int b = value_where(search, parts.second, situation, swap, steps - 1);
    return a == parts.strong || b == parts.strong ? parts.strong : a == b ? a : -1;
}

/* A thread in the situation leaves the loop in the same iteration. */
static bool leaves_where(const struct search *search, evaluation *situation, LLVMValueRef swap)
{
    for (unsigned i = 0; i < simd_node_count(search->kernel); i++) {
        const struct simd_node *at = simd_node(search->kernel, i);
        if (!search->inside[i] || at->end != END_CONDITION || at->match != NULL) {
            continue;
        }
        int value = value_where(search, at->condition, situation, swap, MOST_STEPS);
        if (value >= 0 && always_leaves(search, i, value == 1 ? 0 : 1)) {
            return true;
        }
    }
    return false;
}

/* The write cannot free a slot: it is a compare-and-swap with the same constant. */
static bool takes_slots(LLVMValueRef write, LLVMValueRef swap)
{
    return LLVMIsAAtomicCmpXchgInst(write) != NULL &&
           LLVMGetOperand(write, 1) == LLVMGetOperand(swap, 1);
}

/* The swap takes a free slot of a table, and nothing in the kernel frees one.  A fence would mean
 * that threads act on what others do.  Another grid may free a slot, as it may release a lock.  So
 * the loop must end even if all slots stay taken: block entries do not yield to that grid. */
static bool is_search_for_slot(const struct search *search, LLVMValueRef at)
{
    const struct simd_kernel *kernel = search->kernel;
    if (LLVMIsAAtomicCmpXchgInst(at) == NULL || search->has_fence || search->reads_others ||
        !leaves_where(search, at_bound, NULL) ||
        LLVMIsAConstantInt(LLVMGetOperand(at, 1)) == NULL ||
        node_inside(search, LLVMGetOperand(at, 0)) < 0 ||
        simd_loop_of(search->graph, (unsigned)simd_node_of(kernel, at)) != search->loop ||
        !leaves_where(search, after_success, at)) {
        return false;
    }
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        LLVMValueRef write = simd_value_at(kernel, i);
        if (simd_node_of_number(kernel, i) >= 0 && !takes_slots(write, at) &&
            simd_may_clobber_any(kernel, write, at)) {
            return false;
        }
    }
    return true;
}

/* Another thread may change the value while the loop runs.
 * With fences in the kernel, other threads' plain stores may become visible while the loop runs. */
static bool may_change(const struct search *search, LLVMValueRef at)
{
    bool is_load = LLVMIsALoadInst(at) != NULL;
    bool may_advance = is_load && (lower_is_cached(at) || !simd_is_order(at));
    if (may_advance && !search->has_fence && advances(search, at)) {
        return false;
    }
    if (is_search_for_slot(search, at)) {
        return false;
    }
    bool any_counts = search->has_fence || search->reads_others;
    return (simd_is_order(at) && LLVMIsAStoreInst(at) == NULL) ||
           (is_load && (any_counts || is_exchange(search->kernel, at))) ||
           strncmp(simd_callee_name(at), "cdp_abi_cas128", 14) == 0;
}

/* True if another thread may change one of the values on the work list, or what they depend on.
 * Empties the work list. */
static bool find_change(struct search *search)
{
    while (search->open_count > 0) {
        LLVMValueRef at = search->open[--search->open_count];
        if (may_change(search, at)) {
            return true;
        }
        if (LLVMIsAPHINode(at) != NULL && depends_on_path(search, at)) {
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
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (LLVMIsAFenceInst(simd_value_at(kernel, i)) != NULL) {
            return true;
        }
    }
    return false;
}

static bool has_barrier(const struct search *search)
{
    for (size_t i = 0; i < simd_value_count(search->kernel); i++) {
        LLVMValueRef at = simd_value_at(search->kernel, i);
        if (node_inside(search, at) >= 0 && LLVMIsACallInst(at) != NULL && simd_is_barrier(at)) {
            return true;
        }
    }
    return false;
}

/* What another block writes: a volatile load, an atomic load, or an atomic operation that changes
 * nothing. In a loop with a barrier, across which threads pass it on, so are all atomic operations
 * but those that draw work from a counter: these make progress by themselves. */
static bool is_read_of_others(const struct search *search, LLVMValueRef at, bool in_barrier_loop)
{
    if (LLVMIsALoadInst(at) != NULL) {
        bool is_stream = lower_is_cached(at) && advances(search, at);
        bool is_atomic = simd_is_order(at) && !simd_is_shared(LLVMGetOperand(at, 0));
        return (is_atomic && !is_stream) || (simd_is_volatile(at) && simd_keeps_volatile(at));
    }
    bool is_atomic = LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL;
    bool reads = lower_is_atomic_read(at) || (in_barrier_loop && !lower_draws_number(at));
    return is_atomic && !simd_is_shared(LLVMGetOperand(at, 0)) && reads;
}

/* The loop reads what other blocks write. */
static bool reads_others(const struct search *search)
{
    bool in_barrier_loop = has_barrier(search);
    for (size_t i = 0; i < simd_value_count(search->kernel); i++) {
        LLVMValueRef at = simd_value_at(search->kernel, i);
        if (node_inside(search, at) >= 0 && is_read_of_others(search, at, in_barrier_loop)) {
            return true;
        }
    }
    return false;
}

/* ---- loops that end without other threads ---- */

/* In each iteration but the first, the swap expects the value that the previous one found at the
 * same address. Without other threads, it succeeds in the second iteration.
 * The phi of the expected value gets, on each back edge, what the swap found. */
static bool expects_found_value(const struct search *search, LLVMValueRef swap)
{
    const struct simd_kernel *kernel = search->kernel;
    int header = (int)search->graph->loops[search->loop].header;
    LLVMValueRef expected = bits_of(LLVMGetOperand(swap, 1));
    if (node_inside(search, LLVMGetOperand(swap, 0)) >= 0 || LLVMIsAPHINode(expected) == NULL ||
        node_inside(search, expected) != header) {
        return false;
    }
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        if (ends_iteration(search, i) &&
            swap_of(bits_of(simd_phi_value(kernel, expected, i)), 0) != swap) {
            return false;
        }
    }
    return true;
}

/* The outgoing edge that is taken if a swap succeeds; -1: the node's condition is not such a
 * test. */
static int edge_of_success(const struct search *search, const struct simd_node *at)
{
    LLVMValueRef swap = swap_of(at->condition, 1);
    if (swap != NULL) {
        return expects_found_value(search, swap) ? 0 : -1;
    }
    if (LLVMIsAICmpInst(at->condition) == NULL) {
        return -1;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(at->condition);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef expected = bits_of(LLVMGetOperand(at->condition, 1 - i));
        swap = swap_of(bits_of(LLVMGetOperand(at->condition, i)), 0);
        if (swap != NULL && expected == bits_of(LLVMGetOperand(swap, 1)) &&
            expects_found_value(search, swap) &&
            (predicate == LLVMIntEQ || predicate == LLVMIntNE)) {
            return predicate == LLVMIntEQ ? 0 : 1;
        }
    }
    return -1;
}

/* atomicAdd(&next, 1) in the loop: each draw gets a higher number. */
static bool is_draw(const struct search *search, LLVMValueRef value)
{
    if (LLVMIsAAtomicRMWInst(value) == NULL || node_inside(search, value) < 0 ||
        LLVMGetAtomicRMWBinOp(value) != LLVMAtomicRMWBinOpAdd ||
        node_inside(search, LLVMGetOperand(value, 0)) >= 0) {
        return false;
    }
    LLVMValueRef step = LLVMIsAConstantInt(LLVMGetOperand(value, 1));
    return step != NULL && LLVMConstIntGetSExtValue(step) > 0;
}

/* The same lanes come to the node in each iteration: the branch above it does not change. */
static bool has_fixed_lanes(const struct search *search, unsigned node)
{
    unsigned above = (unsigned)search->graph->idom[node];
    const struct simd_node *branch = simd_node(search->kernel, above);
    return search->inside[above] && branch->end == END_CONDITION &&
           node_inside(search, branch->condition) < 0 && is_in_each_iteration(search, above);
}

/* The draw is the phi's value for some lanes.  The others have none, or one that is not from the
 * loop. */
static bool draws_for_some(const struct search *search, LLVMValueRef phi)
{
    unsigned draws = 0, count = LLVMIsAPHINode(phi) == NULL ? 0 : LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (is_draw(search, value)) {
            draws += has_fixed_lanes(search, (unsigned)node_inside(search, value));
        } else if (node_inside(search, value) >= 0) {
            return false;
        }
    }
    return draws == 1;
}

/* A lane draws for its warp: if (lane == 0) i = atomicAdd(&next, 1); i = __shfl_sync(~0u, i, 0).
 * If the lane that is read does not draw, the number never changes, whatever other threads do. */
static bool is_drawn_by_another(const struct search *search, LLVMValueRef value)
{
    return simd_warp_operation_of(value) == WARP_SHUFFLE &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 4)) != NULL &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(value, 4)) == CDP_SHUFFLE_IDX &&
           node_inside(search, LLVMGetOperand(value, 2)) < 0 &&
           draws_for_some(search, LLVMGetOperand(value, 1));
}

/* The outgoing edge that is taken if a drawn number is too high; -1: the node's condition is not
 * such a test.
 * The counter grows by at least one for each draw, so a thread draws a number beyond the bound in
 * the end. */
static int edge_of_too_high(const struct search *search, const struct simd_node *at)
{
    LLVMValueRef drawn =
        LLVMIsAICmpInst(at->condition) != NULL ? LLVMGetOperand(at->condition, 0) : NULL;
    if (drawn == NULL || !is_fixed(search, LLVMGetOperand(at->condition, 1)) ||
        (!is_draw(search, drawn) && !is_drawn_by_another(search, drawn))) {
        return -1;
    }
    return edge_above(at->condition);
}

/* A thread leaves the loop eventually even if no other thread acts. */
static bool ends_by_itself(const struct search *search)
{
    for (unsigned i = 0; i < simd_node_count(search->kernel); i++) {
        const struct simd_node *at = simd_node(search->kernel, i);
        if (!search->inside[i] || at->end != END_CONDITION || at->match != NULL ||
            !leaves(search, i)) {
            continue;
        }
        int edge = edge_of_success(search, at);
        edge = edge < 0 ? edge_of_too_high(search, at) : edge;
        if (always_leaves(search, i, edge)) {
            return true;
        }
    }
    return false;
}

bool simd_may_wait(const struct simd_graph *graph, int loop)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct search search = {.graph = graph,
                            .kernel = kernel,
                            .loop = loop,
                            .inside = graph->loops[loop].inside,
                            .has_fence = has_fence(kernel),
                            .decides = arena_alloc((simd_node_count(kernel) + 1) * sizeof(bool))};
    if (ends_by_itself(&search)) {
        return false;
    }
    search.reads_others = reads_others(&search);
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        if (search.inside[i] && (leaves(&search, i) || search.has_fence)) {
            add_condition(&search, i);
        }
    }
    add_all_deciding(&search);
    do {
        if (find_change(&search)) {
            return true;
        }
    } while (add_all_deciding(&search));
    return false;
}
