/* Inlines the functions that must be, or should be, part of the kernel.
 *
 * Functions with barriers, warp operations or ordered accesses cannot be called by the lanes of a
 * chunk, so they must be inlined.  All others are inlined within a budget.
 *
 *     __device__ float sum(float x) { ... __syncthreads(); ... }        must be inlined
 *     __device__ int steps(float x) { while (...) ... }                 is inlined if it fits
 *     __noinline__ __device__ float table(int i) { ... }                the program decides
 *
 * A size is a number of instructions after inlining, so a function counts once for each call.  The
 * budget is one of functions and one of kernels.  A function that no kernel calls more than once
 * does not make a kernel's code longer, so only the budget of kernels limits it.  If a kernel of
 * the unit exceeds its budget, the unit's largest functions are not inlined.
 *
 * Recursive functions cannot be inlined.  What stays a call is vectorized by itself, or runs lane
 * by lane (simd/callees.c). The attribute alwaysinline does the work, together with LLVM's pass of
 * that name. */
#include "simd/prepare/inline.h"

#include "ir/call_graph.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "lower/math.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "support/arena.h"

#include <string.h>

/* These instructions need all lanes of a chunk at once, or an order that calls lane by lane do not
 * give. */
static bool synchronizes(LLVMValueRef at)
{
    return simd_is_order(at) || (LLVMIsACallInst(at) != NULL &&
                                 (simd_is_barrier(at) || simd_warp_operation_of(at) != WARP_NONE));
}

/* So do volatile accesses. But kernels with a call of a noinline function that has some run by
 * thread entries: the program decides. Checks have volatile accesses of their own. */
static bool is_exchange(LLVMValueRef at)
{
    return simd_is_volatile(at) && !lower_is_own(at);
}

/* In instructions, as the front end writes them. */
enum { LONG = 400, MOST_OF_FUNCTION = 1000, MOST_OF_KERNEL = 3000, UNBOUNDED = 1 << 30 };

/* What is inlined, and the sizes that follow.  Arrays by the numbers of functions, in the arena. */
struct choice {
    const struct lower_graph *graph;
    bool *is_inlined;
    unsigned *own;     /* instructions */
    unsigned *sizes;   /* with inlined calls; 0: not known yet */
    bool *repeats;     /* some function would have two copies of it */
    bool keeps_single; /* the others are inlined, whatever their size */
};

/* The program's own wish for noinline is respected. */
static bool has_mathematics(const struct lower_graph *graph, unsigned function)
{
    LLVMValueRef at = graph->functions[function];
    for (size_t i = 0; i < graph->callee_count[function]; i++) {
        LLVMValueRef callee = graph->functions[graph->callees[function][i]];
        if (lower_math_is_own(callee)) {
            return !lower_has_attribute(at, "noinline") && lower_count_instructions(at) <= LONG;
        }
    }
    return false;
}

static unsigned size_of(struct choice *choice, unsigned function);

static bool is_call(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL && lower_callee(at) != NULL;
}

/* Whether the call is inlined, and of which function. */
static bool finds_inlined(const struct choice *choice, LLVMValueRef call, unsigned *number)
{
    return lower_map_find(&choice->graph->numbers, lower_callee(call), number) &&
           choice->is_inlined[*number];
}

/* Adds the sizes of the functions that are inlined into the function's body. */
static unsigned size_of_calls(struct choice *choice, LLVMValueRef function)
{
    struct lower_list calls = lower_instructions(function, is_call);
    unsigned sum = 0, number;
    for (size_t i = 0; i < calls.count && sum < UNBOUNDED; i++) {
        if (finds_inlined(choice, calls.items[i], &number)) {
            sum += size_of(choice, number);
        }
    }
    return sum;
}

/* At most UNBOUNDED.  Inlined functions are not recursive, so this ends. */
static unsigned size_of(struct choice *choice, unsigned function)
{
    if (choice->sizes[function] == 0) {
        LLVMValueRef at = choice->graph->functions[function];
        unsigned size = choice->own[function] + size_of_calls(choice, at);
        choice->sizes[function] = size < UNBOUNDED ? size + 1 : UNBOUNDED;
    }
    return choice->sizes[function];
}

/* Counts the copies that the function's calls make of other functions.  Two are as good as more, so
 * each function is looked at twice at most. */
static void count_copies(const struct choice *choice, LLVMValueRef function, unsigned char *copies)
{
    struct lower_list calls = lower_instructions(function, is_call);
    for (size_t i = 0; i < calls.count; i++) {
        unsigned number;
        if (finds_inlined(choice, calls.items[i], &number) && copies[number] < 2) {
            copies[number]++;
            count_copies(choice, choice->graph->functions[number], copies);
        }
    }
}

/* Finds the functions of which a kernel, or another function that is not inlined, would have two
 * copies. */
static void find_repeated(struct choice *choice)
{
    size_t count = choice->graph->count;
    unsigned char *copies = arena_alloc(count + 1);
    for (size_t f = 0; f < count; f++) {
        memset(copies, 0, count);
        if (!choice->is_inlined[f]) {
            count_copies(choice, choice->graph->functions[f], copies);
        }
        for (size_t i = 0; i < count; i++) {
            choice->repeats[i] |= copies[i] > 1;
        }
    }
}

/* Adds the callers of the functions in the set. `noinline` callers are left out if they may be. */
static void add_callers(const struct lower_graph *graph, bool *found, bool all)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < graph->count; i++) {
            bool may_be = all || !lower_has_attribute(graph->functions[i], "noinline");
            for (size_t j = 0; may_be && j < graph->callee_count[i] && !found[i]; j++) {
                found[i] = found[graph->callees[i][j]];
                changed |= found[i];
            }
        }
    }
}

/* The functions with such instructions, and their callers. */
static bool *find_functions(const struct lower_graph *graph)
{
    bool *found = arena_alloc((graph->count + 1) * sizeof *found);
    bool *exchanges = arena_alloc((graph->count + 1) * sizeof *exchanges);
    for (unsigned i = 0; i < graph->count; i++) {
        LLVMValueRef function = graph->functions[i];
        found[i] = lower_any_instruction(function, synchronizes);
        exchanges[i] = !lower_has_attribute(function, "noinline") &&
                       lower_any_instruction(function, is_exchange);
    }
    add_callers(graph, found, true);
    add_callers(graph, exchanges, false);
    for (unsigned i = 0; i < graph->count; i++) {
        found[i] = found[i] || exchanges[i];
    }
    return found;
}

static void remove_attribute(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* The functions that kernel entries reach, without the entries. */
static bool *find_reached(const struct lower_context *lower, const struct lower_graph *graph)
{
    bool *reached = arena_alloc((graph->count + 1) * sizeof *reached);
    for (size_t i = 0; i < lower->kernel_count; i++) {
        unsigned number;
        if (lower->kernels[i].is_defined &&
            lower_map_find(&graph->numbers, lower->kernels[i].entry, &number)) {
            for (size_t j = 0; j < graph->callee_count[number]; j++) {
                lower_graph_reach(graph, graph->callees[number][j], reached);
            }
        }
    }
    return reached;
}

/* Forgets the sizes, and takes back functions that are too large, but no function that must be
 * inlined.  True if any was taken back. */
static bool drop_large(struct choice *choice, const bool *must, unsigned most)
{
    bool any = false;
    memset(choice->sizes, 0, choice->graph->count * sizeof *choice->sizes);
    for (unsigned i = 0; i < choice->graph->count; i++) {
        bool is_kept = must[i] || (choice->keeps_single && !choice->repeats[i]);
        if (choice->is_inlined[i] && !is_kept && size_of(choice, i) > most) {
            choice->is_inlined[i] = false;
            any = true;
        }
    }
    return any;
}

/* The kernel's size; 0: it is not defined. */
static unsigned size_of_kernel(const struct lower_context *lower, struct choice *choice, size_t i)
{
    unsigned number;
    bool is_there = lower->kernels[i].is_defined &&
                    lower_map_find(&choice->graph->numbers, lower->kernels[i].entry, &number);
    return is_there ? size_of(choice, number) : 0;
}

/* The budgets of kernels: for one that is large without any choice, a quarter more than that. */
static unsigned *find_budgets(const struct lower_context *lower, const struct choice *choice,
                              const bool *must)
{
    size_t count = choice->graph->count;
    struct choice least = *choice;
    least.is_inlined = arena_alloc((count + 1) * sizeof(bool));
    least.sizes = arena_alloc((count + 1) * sizeof(unsigned));
    for (size_t i = 0; i < count; i++) {
        least.is_inlined[i] = choice->is_inlined[i] && must[i];
    }
    unsigned *budgets = arena_alloc((lower->kernel_count + 1) * sizeof *budgets);
    for (size_t i = 0; i < lower->kernel_count; i++) {
        unsigned size = size_of_kernel(lower, &least, i);
        unsigned more = size < UNBOUNDED ? size + size / 4 : UNBOUNDED;
        budgets[i] = more > MOST_OF_KERNEL ? more : MOST_OF_KERNEL;
    }
    return budgets;
}

static bool is_over_budget(const struct lower_context *lower, struct choice *choice,
                           const unsigned *budgets)
{
    bool is_over = false;
    for (size_t i = 0; i < lower->kernel_count; i++) {
        is_over |= size_of_kernel(lower, choice, i) > budgets[i];
    }
    return is_over;
}

/* Limits functions of which a kernel has one copy, too, if a kernel exceeds its budget. Then lowers
 * the limit until the kernels are within their budgets. */
static void keep_budget(const struct lower_context *lower, struct choice *choice, const bool *must)
{
    const unsigned *budgets = find_budgets(lower, choice, must);
    unsigned most = MOST_OF_FUNCTION;
    choice->keeps_single = true;
    do {
        while (drop_large(choice, must, most)) {
        }
        most = choice->keeps_single ? most : most / 2;
        choice->keeps_single = false;
    } while (most > 0 && is_over_budget(lower, choice, budgets));
}

void simd_inline(struct lower_context *lower)
{
    struct lower_graph graph;
    lower_graph_build(lower, &graph);
    const bool *reached = find_reached(lower, &graph);
    bool *must = find_functions(&graph);
    struct choice choice = {.graph = &graph,
                            .is_inlined = arena_alloc((graph.count + 1) * sizeof(bool)),
                            .own = arena_alloc((graph.count + 1) * sizeof(unsigned)),
                            .sizes = arena_alloc((graph.count + 1) * sizeof(unsigned)),
                            .repeats = arena_alloc((graph.count + 1) * sizeof(bool))};
    for (unsigned i = 0; i < graph.count; i++) {
        LLVMValueRef function = graph.functions[i];
        must[i] = must[i] || has_mathematics(&graph, i);
        choice.own[i] = lower_count_instructions(function);
        choice.is_inlined[i] = reached[i] && !LLVMIsDeclaration(function) &&
                               (must[i] || !lower_has_attribute(function, "noinline")) &&
                               !lower_graph_is_recursive(&graph, i);
    }
    find_repeated(&choice);
    keep_budget(lower, &choice, must);
    for (unsigned i = 0; i < graph.count; i++) {
        if (choice.is_inlined[i]) {
            remove_attribute(graph.functions[i], "noinline");
            remove_attribute(graph.functions[i], "optnone");
            lower_add_attribute(lower, graph.functions[i], "alwaysinline");
        }
    }
}
