/* Inlines the functions that must be part of the kernel.
 *
 * Functions with barriers, warp operations or ordered accesses must be inlined, since a call runs
 * one lane after the other and cannot do any of these.  Functions that call mathematical functions
 * are inlined too, unless they are long: the calls then become vector code.
 *
 *     __device__ float sum(float x) { ... __syncthreads(); ... }    must be inlined
 *     __device__ float g(float x) { return sinf(x) + 1; }           is inlined: sinf is a vector
 *     __device__ float table(int i) { ... }                         the inliner decides
 *
 * Recursive functions cannot be inlined; a kernel that calls one has only thread entries. The
 * attribute alwaysinline does the work, together with LLVM's pass of that name. */
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

/* instructions, as the front end writes them */
enum { LONG = 400 };

static bool is_long(LLVMValueRef function)
{
    unsigned count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            count++;
        }
    }
    return count > LONG;
}

/* The program's own wish for noinline is respected. */
static bool has_mathematics(const struct lower_graph *graph, unsigned function)
{
    LLVMValueRef at = graph->functions[function];
    for (size_t i = 0; i < graph->callee_count[function]; i++) {
        LLVMValueRef callee = graph->functions[graph->callees[function][i]];
        if (lower_math_is_own(callee)) {
            return !lower_has_attribute(at, "noinline") && !is_long(at);
        }
    }
    return false;
}

/* Includes functions that call such functions.
 * The set grows from callees to callers until nothing changes. */
static bool *find_functions(const struct lower_graph *graph)
{
    bool *found = arena_alloc((graph->count + 1) * sizeof *found), changed = true;
    for (unsigned i = 0; i < graph->count; i++) {
        found[i] = lower_any_instruction(graph->functions[i], synchronizes);
    }
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < graph->count; i++) {
            for (size_t j = 0; j < graph->callee_count[i] && !found[i]; j++) {
                found[i] = found[graph->callees[i][j]];
                changed |= found[i];
            }
        }
    }
    return found;
}

static void remove_attribute(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

void simd_inline(struct lower_context *lower)
{
    struct lower_graph graph;
    lower_graph_build(lower, &graph);
    bool *reached = arena_alloc((graph.count + 1) * sizeof *reached);
    for (size_t i = 0; i < lower->kernel_count; i++) {
        unsigned number;
        if (lower->kernels[i].is_defined &&
            lower_map_find(&graph.numbers, lower->kernels[i].entry, &number)) {
            for (size_t j = 0; j < graph.callee_count[number]; j++) {
                lower_graph_reach(&graph, graph.callees[number][j], reached);
            }
        }
    }
    const bool *meets = find_functions(&graph);
    for (unsigned i = 0; i < graph.count; i++) {
        LLVMValueRef function = graph.functions[i];
        bool is_wanted = meets[i] || has_mathematics(&graph, i);
        if (reached[i] && is_wanted && !LLVMIsDeclaration(function) &&
            !lower_graph_is_recursive(&graph, i)) {
            remove_attribute(function, "noinline");
            remove_attribute(function, "optnone");
            lower_add_attribute(lower, function, "alwaysinline");
        }
    }
}
