/* Lets threads that wait for one another proceed.
 *
 * On a GPU the lanes of a warp run together, and warps alternate. Here a thread runs until it
 * waits. So code that polls must yield. The runtime's yield is called between a volatile access and
 * the following code, which keeps threads that run the same code in step. It is also called on the
 * back edge of each loop whose exit depends on an atomic operation or a volatile load. With a lock
 * that is free, or a compare-and-swap that succeeds at once, the back edge is not reached.
 *
 * A yield after a volatile access is delayed (it is a debt), until just before the next access that
 * lets other threads observe the order. There is none if a barrier or the thread's end comes first.
 * Of several loads only the last one needs a yield, because threads in step load together. On a
 * back edge a debt of any kind counts as a store's debt, so each iteration of a loop with a
 * volatile access yields.
 *
 * A thread that runs a serialized child (simd/prepare/serial_child.c) does not yield: no other
 * thread of its block may launch until the child has ended.  cdp_abi_yield tests that at run time.
 *
 * Block entries never yield: no thread in one waits for another, and a worker owns one block at a
 * time.
 *
 * This pass works on optimized code, where the loop's condition and the values that it depends on
 * are in one function. Without optimization any loop that polls counts.
 *
 * Source with both kinds of yield:
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) { }      yield on the back edge
 *     volatile int *v; v[i] = 1; x = v[j];         yield before the load: the store is a debt
 *
 * The search for polling loops goes backwards from the conditions of a loop's exits. A loop polls
 * if one of them depends, by values or by control, on an instruction that reads what others may
 * write: an atomic operation, a volatile or atomic load, or a call of a function with such an
 * instruction. With a fence in the loop a plain load counts, too, and with a barrier: one thread
 * may read what another block writes, and pass it on. A loop that only counts never polls, so it
 * stays as fast as without this pass. */
#include "backend/yield.h"

#include "ir/module.h"
#include "ir/value.h"
#include "simd/post/pipeline.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* From one basic block to another, by their numbers in the graph. */
struct edge {
    unsigned from, to;
};

/* The control flow of one function. Block 0 is the entry. In the arena, for one function. */
struct graph {
    LLVMBasicBlockRef *blocks;
    size_t count;
    struct lower_map numbers;
    unsigned **next, **previous;
    size_t *next_count, *previous_count;
    struct edge *back; /* to a block that is still being visited, in depth-first order */
    size_t back_count;
};

/* The state of the pass. The sets hold for the module; function is the one being changed. */
struct yielding {
    struct lower_context lower; /* for the helpers; only llvm, module and types */
    bool optimized;
    struct lower_map polling; /* functions that read values written by other threads */
    struct lower_map fencing; /* functions after which memory must be read again */
    LLVMValueRef function;
};

/* Only loads and stores; atomic operations are handled by reads_others. An access with a cache hint
 * is volatile only so that it stays whole (lower/words.c). */
static bool is_volatile_access(LLVMValueRef at)
{
    bool access = LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL;
    return access && LLVMGetVolatile(at) && !lower_is_cached(at) && !lower_is_own(at);
}

/* Through offsets. Other threads do not access a variable on the thread's own stack. */
static bool is_own_stack(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return LLVMIsAAllocaInst(address) != NULL;
}

static LLVMValueRef address_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) != NULL ? 1 : 0);
}

/* Whether another thread may have written the instruction's result, by the kind of instruction. */
static bool reads_others(const struct yielding *yielding, LLVMValueRef at)
{
    unsigned unused;
    if (LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL) {
        return true;
    }
    if (LLVMIsALoadInst(at) != NULL) {
        bool special = LLVMGetVolatile(at) || LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic;
        return special && !lower_is_own(at) && !is_own_stack(LLVMGetOperand(at, 0));
    }
    LLVMValueRef callee = lower_callee(at);
    return callee != NULL && lower_map_find(&yielding->polling, callee, &unused);
}

/* The same without operations that make progress by themselves, as those that draw work from a
 * counter. */
static bool only_reads_others(const struct yielding *yielding, LLVMValueRef at)
{
    return reads_others(yielding, at) && !lower_draws_number(at);
}

static bool is_barrier(const struct yielding *yielding, LLVMValueRef at)
{
    (void)yielding;
    LLVMValueRef callee = lower_callee(at);
    return callee != NULL && str_starts(lower_name(callee), "cdp_abi_syncthreads");
}

/* asm volatile("" ::: "memory"): memory is read again after it, so programs also poll with it. */
static bool is_compiler_fence(LLVMValueRef at)
{
    LLVMValueRef code = LLVMIsACallInst(at) == NULL ? NULL : LLVMGetCalledValue(at);
    size_t length;
    return code != NULL && LLVMIsAInlineAsm(code) != NULL &&
           strstr(LLVMGetInlineAsmConstraintString(code, &length), "~{memory}") != NULL;
}

/* A function that the program defines elsewhere, which may contain such an instruction. */
static bool is_unknown_call(LLVMValueRef at, LLVMValueRef callee)
{
    if (LLVMIsACallInst(at) == NULL || LLVMIsAInlineAsm(LLVMGetCalledValue(at)) != NULL) {
        return false;
    }
    return callee == NULL || (LLVMIsDeclaration(callee) && str_ends(lower_name(callee), ".cdp"));
}

static bool is_fence(const struct yielding *yielding, LLVMValueRef at)
{
    unsigned unused;
    LLVMValueRef callee = lower_callee(at);
    return LLVMIsAFenceInst(at) != NULL || is_compiler_fence(at) || is_unknown_call(at, callee) ||
           (callee != NULL && lower_map_find(&yielding->fencing, callee, &unused));
}

typedef bool (*property)(const struct yielding *, LLVMValueRef);

/* Whether some instruction of the function has the property. */
static bool function_has(const struct yielding *yielding, LLVMValueRef function, property holds)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (holds(yielding, at)) {
                return true;
            }
        }
    }
    return false;
}

/* The callers of such functions are added to the set.
 *
 * To a fixed point, because the property spreads from callees to callers. */
static void find_functions(struct yielding *yielding, struct lower_map *found, property holds)
{
    bool changed = true;
    unsigned unused;
    while (changed) {
        changed = false;
        for (LLVMValueRef function = LLVMGetFirstFunction(yielding->lower.module); function != NULL;
             function = LLVMGetNextFunction(function)) {
            if (!lower_map_find(found, function, &unused) &&
                function_has(yielding, function, holds)) {
                lower_map_put(found, function, 1);
                changed = true;
            }
        }
    }
}

static void find_back_edges(struct graph *graph)
{
    enum { NEW, OPEN, CLOSED };
    unsigned char *state = arena_alloc(graph->count);
    unsigned *stack = arena_alloc((graph->count + 1) * sizeof *stack);
    size_t *position = arena_alloc((graph->count + 1) * sizeof *position);
    size_t depth = 1;
    state[0] = OPEN;
    while (depth > 0) {
        unsigned at = stack[depth - 1];
        if (position[at] == graph->next_count[at]) {
            state[at] = CLOSED;
            depth--;
            continue;
        }
        unsigned to = graph->next[at][position[at]++];
        if (state[to] == OPEN) {
            struct edge edge = {.from = at, .to = to};
            LOWER_PUSH(graph->back, graph->back_count, edge);
        } else if (state[to] == NEW) {
            state[to] = OPEN;
            stack[depth++] = to;
        }
    }
}

/* Several edges from one block to another are several entries. */
static void build_graph(LLVMValueRef function, struct graph *graph)
{
    *graph = (struct graph){0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        lower_map_put(&graph->numbers, block, (unsigned)graph->count);
        LOWER_PUSH(graph->blocks, graph->count, block);
    }
    graph->next = arena_alloc(graph->count * sizeof *graph->next);
    graph->previous = arena_alloc(graph->count * sizeof *graph->previous);
    graph->next_count = arena_alloc(graph->count * sizeof *graph->next_count);
    graph->previous_count = arena_alloc(graph->count * sizeof *graph->previous_count);
    for (unsigned from = 0; from < graph->count; from++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[from]);
        unsigned successors = LLVMGetNumSuccessors(end);
        for (unsigned i = 0; i < successors; i++) {
            unsigned to = 0;
            lower_map_find(&graph->numbers, LLVMGetSuccessor(end, i), &to);
            LOWER_PUSH(graph->next[from], graph->next_count[from], to);
            LOWER_PUSH(graph->previous[to], graph->previous_count[to], from);
        }
    }
    find_back_edges(graph);
}

/* The blocks that reach the edge's start without passing its end. */
static bool *loop_body(const struct graph *graph, struct edge edge)
{
    bool *inside = arena_alloc(graph->count);
    unsigned *stack = arena_alloc((graph->count + 1) * sizeof *stack);
    size_t depth = 0;
    inside[edge.to] = true;
    if (!inside[edge.from]) {
        inside[edge.from] = true;
        stack[depth++] = edge.from;
    }
    while (depth > 0) {
        unsigned at = stack[--depth];
        for (size_t i = 0; i < graph->previous_count[at]; i++) {
            unsigned from = graph->previous[at][i];
            if (!inside[from]) {
                inside[from] = true;
                stack[depth++] = from;
            }
        }
    }
    return inside;
}

/* A search through the values that decide whether a loop continues. */
struct search {
    const struct yielding *yielding;
    const struct graph *graph;
    const bool *inside;
    unsigned header;
    bool any_load_polls;     /* also plain ones */
    bool *decides, *escapes; /* by block; the latter is scratch */
    unsigned *blocks;        /* deciding blocks that have not been visited yet */
    size_t block_count;
    struct lower_map seen;
    LLVMValueRef *open;
    size_t open_count;
};

/* Values from outside the loop do not change in it, so they are not followed. */
static void search_add(struct search *search, LLVMValueRef value)
{
    unsigned number;
    if (value == NULL || LLVMIsAInstruction(value) == NULL ||
        lower_map_find(&search->seen, value, &number) ||
        !lower_map_find(&search->graph->numbers, LLVMGetInstructionParent(value), &number) ||
        !search->inside[number]) {
        return;
    }
    lower_map_put(&search->seen, value, 1);
    LOWER_PUSH(search->open, search->open_count, value);
}

/* The value that decides the successor; NULL for a block with one successor. */
static LLVMValueRef condition_of(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool branches = LLVMIsABranchInst(end) != NULL && LLVMIsConditional(end);
    return branches || LLVMIsASwitchInst(end) != NULL ? LLVMGetOperand(end, 0) : NULL;
}

/* Both matter: whether control reaches the block, and which successor it takes. */
static void search_block(struct search *search, unsigned block)
{
    if (search->inside[block] && !search->decides[block]) {
        search->decides[block] = true;
        search_add(search, condition_of(search->graph->blocks[block]));
        LOWER_PUSH(search->blocks, search->block_count, block);
    }
}

/* For each block: whether some path from it leaves the iteration before it reaches block to. */
static void find_escapes(const struct search *search, unsigned to)
{
    const struct graph *graph = search->graph;
    bool again;
    memset(search->escapes, 0, graph->count);
    do {
        again = false;
        for (unsigned i = (unsigned)graph->count; i-- > 0;) {
            bool found = search->inside[i] && graph->next_count[i] == 0;
            for (size_t j = 0; search->inside[i] && j < graph->next_count[i]; j++) {
                unsigned next = graph->next[i][j];
                found |= next != to &&
                         (next == search->header || !search->inside[next] || search->escapes[next]);
            }
            if (i != to && found && !search->escapes[i]) {
                search->escapes[i] = again = true;
            }
        }
    } while (again);
}

/* Finds the blocks with one edge on which control certainly reaches block to, and another edge. */
static void search_ways_to(struct search *search, unsigned to)
{
    const struct graph *graph = search->graph;
    find_escapes(search, to);
    for (unsigned i = 0; i < graph->count; i++) {
        bool comes = false;
        for (size_t j = 0; search->escapes[i] && j < graph->next_count[i]; j++) {
            unsigned next = graph->next[i][j];
            comes |= search->inside[next] && next != search->header && !search->escapes[next];
        }
        if (comes) {
            search_block(search, i);
        }
    }
}

/* The value of a phi also depends on the edge that the thread took. */
static void search_phi(struct search *search, LLVMValueRef phi)
{
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
        unsigned from;
        if (lower_map_find(&search->graph->numbers, LLVMGetIncomingBlock(phi, i), &from)) {
            search_block(search, from);
        }
    }
}

/* Values first, then control: a block decides if it is in a way to a deciding block. */
static bool search_run(struct search *search)
{
    while (search->open_count > 0 || search->block_count > 0) {
        if (search->open_count == 0) {
            search_ways_to(search, search->blocks[--search->block_count]);
            continue;
        }
        LLVMValueRef at = search->open[--search->open_count];
        if (reads_others(search->yielding, at) ||
            (search->any_load_polls && LLVMIsALoadInst(at) != NULL)) {
            return true;
        }
        if (LLVMIsAPHINode(at) != NULL) {
            search_phi(search, at);
        }
        unsigned count = (unsigned)LLVMGetNumOperands(at);
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef operand = LLVMGetOperand(at, i);
            if (!LLVMValueIsBasicBlock(operand)) {
                search_add(search, operand);
            }
        }
    }
    return false;
}

/* Whether some edge from the block leads out of the loop. */
static bool leaves(const struct graph *graph, unsigned block, const bool *inside)
{
    for (size_t i = 0; i < graph->next_count[block]; i++) {
        if (!inside[graph->next[block][i]]) {
            return true;
        }
    }
    return false;
}

static bool body_has(const struct yielding *yielding, const struct graph *graph, const bool *inside,
                     property holds)
{
    for (unsigned i = 0; i < graph->count; i++) {
        if (!inside[i]) {
            continue;
        }
        for (LLVMValueRef at = LLVMGetFirstInstruction(graph->blocks[i]); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (holds(yielding, at)) {
                return true;
            }
        }
    }
    return false;
}

/* Without optimization variables are in memory, and the dependences are not visible. */
static bool is_polling_loop(const struct yielding *yielding, const struct graph *graph,
                            unsigned header, const bool *inside)
{
    bool has_fence = body_has(yielding, graph, inside, is_fence);
    bool may_poll = has_fence || body_has(yielding, graph, inside, reads_others);
    bool passes_on = body_has(yielding, graph, inside, only_reads_others) &&
                     body_has(yielding, graph, inside, is_barrier);
    if (!yielding->optimized || !may_poll) {
        return may_poll;
    }
    struct search search = {
        .yielding = yielding,
        .graph = graph,
        .inside = inside,
        .header = header,
        .any_load_polls = has_fence || passes_on,
        .decides = arena_alloc(graph->count),
        .escapes = arena_alloc(graph->count),
    };
    for (unsigned i = 0; i < graph->count; i++) {
        if (inside[i] && leaves(graph, i, inside)) {
            search_block(&search, i);
        }
    }
    return search_run(&search);
}

/* Where the instruction has no line, the call gets the location of its function. */
static void call_yield(struct yielding *yielding, LLVMValueRef before)
{
    LLVMTypeRef type = LLVMFunctionType(yielding->lower.types.none, NULL, 0, 0);
    LLVMValueRef yield = lower_runtime(&yielding->lower, "cdp_abi_yield", type);
    LLVMBuilderRef builder = lower_builder_before(&yielding->lower, before);
    if (LLVMInstructionGetDebugLoc(before) == NULL) {
        LLVMMetadataRef scope = LLVMGetSubprogram(yielding->function);
        LLVMSetCurrentDebugLocation2(builder, scope == NULL
                                                  ? NULL
                                                  : LLVMDIBuilderCreateDebugLocation(
                                                        yielding->lower.llvm, 0, 0, scope, NULL));
    }
    LLVMBuildCall2(builder, type, yield, NULL, 0, "");
    LLVMDisposeBuilder(builder);
}

/* Each back edge is a loop of its own, also if several lead to one header. */
static void yield_in_loops(struct yielding *yielding, const struct graph *graph)
{
    for (size_t i = 0; i < graph->back_count; i++) {
        bool *inside = loop_body(graph, graph->back[i]);
        if (is_polling_loop(yielding, graph, graph->back[i].to, inside)) {
            call_yield(yielding, LLVMGetBasicBlockTerminator(graph->blocks[graph->back[i].from]));
        }
    }
}

/* The accesses of a thread since its last yield. Each value includes the ones before it. */
enum debt { OWES_NOTHING, OWES_LOAD, OWES_STORE };

/* The effect of an instruction on the block's other threads. */
enum effect { NO_EFFECT, EFFECT_WAITS, EFFECT_LOADS, EFFECT_STORES };

/* By the attribute "memory(none)" of the call or the function. */
static bool touches_no_memory(LLVMValueRef call, LLVMValueRef callee)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef of_call =
        LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    LLVMAttributeRef of_callee =
        LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    return (of_call != NULL && LLVMGetEnumAttributeValue(of_call) == 0) ||
           (of_callee != NULL && LLVMGetEnumAttributeValue(of_callee) == 0);
}

static enum effect effect_of_call(LLVMValueRef call)
{
    LLVMValueRef callee = lower_callee(call);
    if (callee == NULL) {
        return EFFECT_STORES;
    }
    const char *name = lower_name(callee);
    if (strncmp(name, "cdp_abi_syncthreads", 19) == 0 || strcmp(name, "cdp_abi_yield") == 0) {
        return EFFECT_WAITS;
    }
    bool marks = strncmp(name, "llvm.lifetime", 13) == 0 || strncmp(name, "llvm.assume", 11) == 0 ||
                 strcmp(name, "cdp_abi_at_barrier") == 0;
    return marks || touches_no_memory(call, callee) ? NO_EFFECT : EFFECT_STORES;
}

/* After a return the caller continues. After a thread's entry nothing follows. */
static bool ends_thread(LLVMValueRef function)
{
    return strncmp(lower_name(function), "cdp.thread.", 11) == 0;
}

/* A return counts as a store: the caller's next access is unknown. */
static enum effect effect_of(const struct yielding *yielding, LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) != NULL) {
        bool constant = LLVMGetMetadata(at, LLVMGetMDKindIDInContext(yielding->lower.llvm,
                                                                     "invariant.load", 14)) != NULL;
        return constant || is_own_stack(address_of(at)) ? NO_EFFECT : EFFECT_LOADS;
    }
    if (LLVMIsAStoreInst(at) != NULL) {
        return is_own_stack(address_of(at)) ? NO_EFFECT : EFFECT_STORES;
    }
    if (LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL) {
        return EFFECT_STORES;
    }
    if (LLVMIsACallInst(at) != NULL) {
        return effect_of_call(at);
    }
    bool returns = LLVMIsAReturnInst(at) != NULL && !ends_thread(yielding->function);
    return returns ? EFFECT_STORES : NO_EFFECT;
}

/* After volatile loads only a store is due: threads in step load together. */
static bool is_due(enum debt debt, enum effect effect)
{
    return (effect == EFFECT_LOADS && debt == OWES_STORE) ||
           (effect == EFFECT_STORES && debt != OWES_NOTHING);
}

static enum debt debt_after(enum debt debt, enum effect effect, LLVMValueRef at)
{
    switch (effect) {
    case NO_EFFECT:
        return debt;
    case EFFECT_WAITS:
        return OWES_NOTHING;
    case EFFECT_LOADS:
        return debt != OWES_NOTHING || is_volatile_access(at) ? OWES_LOAD : OWES_NOTHING;
    case EFFECT_STORES:
        return is_volatile_access(at) ? OWES_STORE : OWES_NOTHING;
    }
    return debt;
}

/* Computes the debt at the block's end; inserts a yield where the table pay says so. */
static enum debt follow(struct yielding *yielding, LLVMBasicBlockRef block, enum debt debt,
                        bool pay)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        enum effect effect = effect_of(yielding, at);
        if (pay && is_due(debt, effect)) {
            call_yield(yielding, at);
        }
        debt = debt_after(debt, effect, at);
    }
    return debt;
}

static bool is_back_edge(const struct graph *graph, unsigned from, unsigned to)
{
    for (size_t i = 0; i < graph->back_count; i++) {
        if (graph->back[i].from == from && graph->back[i].to == to) {
            return true;
        }
    }
    return false;
}

/* Propagates the debt at a block's end to its successors; returns whether that changed one. */
static bool carry(const struct graph *graph, unsigned from, enum debt debt, enum debt *at_start)
{
    bool changed = false;
    for (size_t i = 0; debt != OWES_NOTHING && i < graph->next_count[from]; i++) {
        unsigned to = graph->next[from][i];
        enum debt carried = is_back_edge(graph, from, to) ? OWES_STORE : debt;
        if (carried > at_start[to]) {
            at_start[to] = carried;
            changed = true;
        }
    }
    return changed;
}

/* Debts at the starts of blocks only grow, so the loop ends. Then one more pass inserts the
 * calls. */
static void yield_after_volatile(struct yielding *yielding, const struct graph *graph)
{
    enum debt *at_start = arena_alloc(graph->count * sizeof *at_start);
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < graph->count; i++) {
            enum debt debt = follow(yielding, graph->blocks[i], at_start[i], false);
            changed = carry(graph, i, debt, at_start) || changed;
        }
    }
    for (unsigned i = 0; i < graph->count; i++) {
        (void)follow(yielding, graph->blocks[i], at_start[i], true);
    }
}

void lower_yield(LLVMModuleRef module, LLVMTargetMachineRef machine, bool optimized)
{
    LLVMContextRef llvm = LLVMGetModuleContext(module);
    struct yielding yielding = {
        .lower = {.llvm = llvm, .module = module, .types.none = LLVMVoidTypeInContext(llvm)},
        .optimized = optimized,
    };
    find_functions(&yielding, &yielding.polling, reads_others);
    find_functions(&yielding, &yielding.fencing, is_fence);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        unsigned unused;
        bool polls = lower_map_find(&yielding.polling, function, &unused);
        if (LLVMIsDeclaration(function) || simd_optimize_is_marked(function) ||
            (!polls && !function_has(&yielding, function, is_fence))) {
            continue;
        }
        /* Then each back edge has a basic block of its own. */
        module_run_passes_on(function, "break-crit-edges", machine);
        yielding.function = function;
        struct graph graph;
        build_graph(function, &graph);
        yield_in_loops(&yielding, &graph);
        yield_after_volatile(&yielding, &graph);
    }
}
