/* Functions that stay calls, and whether they are vectorized.
 *
 * Functions are inlined into kernels within a budget (prepare/inline.c).  What is left is called:
 * __noinline__ functions, recursive ones and large ones.  Each gets a copy in the form of a thread
 * entry, which is prepared and looked at like one.  Versions of it are planned and emitted where
 * calls need them (plan/callees.h).
 *
 * A function is not vectorized if it, or a function that it calls, does what ends a thread or may
 * fail for it: its caller would have to know which lanes that concerns. */
#include "simd/callees.h"

#include "ir/call_graph.h"
#include "ir/context.h"
#include "ir/module.h"
#include "ir/options.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/shape.h"
#include "simd/build.h"
#include "simd/ir/calls.h"
#include "simd/ir/clone.h"
#include "simd/ir/counts.h"
#include "simd/ir/element_type.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/kernel.h"
#include "simd/ir/settings.h"
#include "simd/plan/callees.h"
#include "simd/plan/slots.h"
#include "simd/plan/width.h"
#include "simd/prepare/interleave_locals.h"
#include "support/arena.h"
#include "support/str.h"

#include <string.h>

/* Callees of a unit; further ones run one lane after the other.  Vectors side by side, in a
 * function that has a loop. */
enum { MOST_CALLEES = 64, MOST_VECTORS = 2 };

/* The search. Lives as long as simd_find_callees(). */
struct search {
    struct lower_context *lower;
    struct simd_callees *callees;
    struct lower_graph graph; /* of the module before any copies */
};

/* ---- what is not vectorized ---- */

/* Calls of the runtime that do their work for one thread and return. */
static bool is_plain_runtime_call(const char *name)
{
    static const char *const names[] = {"cdp_abi_printf",
                                        "cdp_abi_vprintf",
                                        "cdp_abi_puts",
                                        "cdp_abi_putchar",
                                        "cdp_abi_malloc",
                                        "cdp_abi_calloc",
                                        "cdp_abi_free",
                                        "cdp_abi_aligned_malloc",
                                        "cdp_abi_trap",
                                        "cdp_abi_smid",
                                        "cdp_abi_nsmid",
                                        "cdp_abi_globaltimer",
                                        "cdp_abi_clock",
                                        "cdp_abi_is_",
                                        "cdp_abi_tex_",
                                        "cdp_abi_surf",
                                        NULL};
    return str_starts_any(name, names);
}

/* Of a function that a call may reach. */
static const char *reached_refusal(LLVMValueRef function)
{
    const char *name = lower_name(function);
    return LLVMIsDeclaration(function) && str_starts(name, "cdp_abi_") &&
                   !is_plain_runtime_call(name)
               ? str_format("it calls %s", name + strlen("cdp_abi_"))
               : NULL;
}

static bool is_known_call(LLVMValueRef at)
{
    LLVMValueRef function = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    return function != NULL && LLVMIsAFunction(function) != NULL && !LLVMIsDeclaration(function);
}

/* The call in a function that passes scalars on as structures (prepare/split_calls.c); NULL: it is
 * another function. */
static LLVMValueRef split_call_in(LLVMValueRef function, const char *name)
{
    struct lower_list found = {0};
    if (str_starts(name, SIMD_SPLIT_CALL)) {
        found = lower_instructions(function, is_known_call);
    }
    return found.count == 0 ? NULL : found.items[0];
}

/* The function of the program.  False: its call graph is not known. */
static bool find_in_graph(const struct search *search, LLVMValueRef function, unsigned *number)
{
    LLVMValueRef call = split_call_in(function, lower_name(function));
    return lower_map_find(&search->graph.numbers, call != NULL ? lower_callee(call) : function,
                          number);
}

static const char *graph_refusal(const struct search *search, LLVMValueRef function)
{
    unsigned number;
    const struct lower_graph *graph = &search->graph;
    if (!find_in_graph(search, function, &number)) {
        return "its calls are not known";
    }
    bool *reached = arena_alloc((graph->count + 1) * sizeof *reached);
    lower_graph_reach(graph, number, reached);
    for (size_t i = 0; i < graph->count; i++) {
        const char *why = reached[i] ? reached_refusal(graph->functions[i]) : NULL;
        if (why != NULL || (reached[i] && graph->calls_unknown[i])) {
            return why != NULL ? why : "it calls through a pointer";
        }
    }
    return NULL;
}

/* Another unit may have a function that is taken instead. */
static bool is_replaceable(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage;
}

static const char *signature_refusal(LLVMValueRef function)
{
    if (is_replaceable(function)) {
        return "another unit may replace it";
    }
    static const char why[] = "it passes or returns values that vectors do not hold";
    LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
    bool is_void = LLVMGetTypeKind(result) == LLVMVoidTypeKind;
    if (LLVMIsFunctionVarArg(type) || (!is_void && !simd_is_element_type(result))) {
        return why;
    }
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        if (!simd_is_element_type(LLVMTypeOf(LLVMGetParam(function, i)))) {
            return why;
        }
    }
    return NULL;
}

/* Of its copy, whose traits are known. */
static const char *traits_refusal(const struct simd_kernel *kernel)
{
    return kernel->traits.barrier_count != 0 ? "it has a barrier"
           : kernel->traits.has_warps        ? "it has warp operations or volatile accesses"
                                             : NULL;
}

/* ---- the copies ---- */

/* Vectors side by side are useful in loops.  Frames of recursive functions are small instead. */
static unsigned vectors_of(struct simd_callee *callee)
{
    struct simd_kernel *kernel = callee->kernel;
    unsigned parameters = LLVMCountParams(kernel->function);
    struct simd_shape *shapes = arena_alloc((parameters + 1) * sizeof *shapes);
    for (unsigned i = 0; i < parameters; i++) {
        shapes[i] = i == 0 ? simd_uniform_shape : simd_varying_shape;
    }
    kernel->variant.arguments = shapes;
    unsigned vectors = simd_options_of(kernel).vectors;
    bool has_loop = simd_graph_build(kernel, 0, true, NULL)->loop_count != 0;
    return callee->is_recursive || !has_loop ? 1 : vectors < MOST_VECTORS ? vectors : MOST_VECTORS;
}

/* The type of a structure that the parameter points to and that is passed by value; NULL: it is
 * another parameter. */
static LLVMTypeRef copied_type(LLVMValueRef function, unsigned parameter)
{
    static const char by_value[] = "byval";
    unsigned kind = LLVMGetEnumAttributeKindForName(by_value, sizeof by_value - 1);
    LLVMAttributeRef found = LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind);
    return found == NULL ? NULL : LLVMGetTypeAttributeValue(found);
}

/* Structures that are passed by value in memory: each thread copies its own. */
static bool copy_structures(struct lower_context *lower, LLVMValueRef function, LLVMValueRef copy)
{
    bool is_any = false;
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        LLVMTypeRef type = copied_type(function, i);
        if (type == NULL) {
            continue;
        }
        LLVMValueRef passed = LLVMGetParam(copy, i + 1);
        LLVMBuilderRef b = lower_builder_at_entry(lower, copy);
        LLVMValueRef variable = LLVMBuildAlloca(b, type, "");
        LLVMReplaceAllUsesWith(passed, variable);
        LLVMValueRef bytes =
            LLVMConstInt(lower->types.i64, LLVMABISizeOfType(lower->layout, type), 0);
        unsigned align = LLVMABIAlignmentOfType(lower->layout, type);
        LLVMBuildMemCpy(b, variable, align, passed, align, bytes);
        LLVMDisposeBuilder(b);
        is_any = true;
    }
    return is_any;
}

/* Structures that are joined and taken apart again become scalars. */
static const char simplification[] =
    "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa";

/* Builds the callee's kernel. */
static const char *build(const struct search *search, struct simd_callee *callee)
{
    struct lower_context *lower = search->lower;
    struct lower_kernel *source = arena_alloc(sizeof *source);
    *source = (struct lower_kernel){.function = callee->function,
                                    .entry = callee->function,
                                    .name = str_format("%s", lower_name(callee->function))};
    LLVMValueRef copy = simd_clone_as_kernel(lower, callee->function), blamed;
    LLVMValueRef split = split_call_in(copy, source->name);
    if (split != NULL) {
        simd_inline_into_block(lower, split);
    }
    if (copy_structures(lower, callee->function, copy) || split != NULL) {
        module_run_passes_on(copy, simplification, lower->machine);
    }
    callee->kernel = arena_alloc(sizeof *callee->kernel);
    callee->kernel->callees = search->callees;
    callee->kernel->function = copy;
    simd_prepare_kernel(lower, copy);
    if (simd_has_interleavable_locals(lower, copy)) {
        simd_interleave_locals(lower, copy);
    }
    const char *why = simd_build_kernel(lower, source, copy, callee->kernel, &blamed);
    if (callee->kernel->traits.is_irreducible) {
        simd_make_reducible(lower, copy);
        why = simd_build_kernel(lower, source, copy, callee->kernel, &blamed);
    }
    return why != NULL ? why : traits_refusal(callee->kernel);
}

/* ---- the search ---- */

static bool is_callee(LLVMValueRef at)
{
    const char *name = simd_callee_name(at);
    return is_known_call(at) && !str_starts(name, "cdp_abi_") &&
           (!str_starts(name, "cdp.") || str_starts(name, SIMD_SPLIT_CALL));
}

static void add_callees(struct search *search, LLVMValueRef caller)
{
    struct lower_list found = lower_instructions(caller, is_callee);
    for (size_t i = 0; i < found.count; i++) {
        LLVMValueRef function = lower_callee(found.items[i]);
        unsigned number;
        if (lower_map_find(&search->callees->numbers, function, &number) ||
            search->callees->count == MOST_CALLEES) {
            continue;
        }
        struct simd_callee *callee = arena_alloc(sizeof *callee);
        callee->function = function;
        lower_map_put(&search->callees->numbers, function, (unsigned)search->callees->count);
        LOWER_PUSH(search->callees->items, search->callees->count, callee);
    }
}

/* The callees of a function that is not vectorized are called by scalar code only. */
static void examine(struct search *search, struct simd_callee *callee)
{
    unsigned number;
    callee->is_recursive = find_in_graph(search, callee->function, &number) &&
                           lower_graph_is_recursive(&search->graph, number);
    callee->refusal = signature_refusal(callee->function);
    if (callee->refusal == NULL) {
        callee->refusal = graph_refusal(search, callee->function);
    }
    if (callee->refusal == NULL) {
        callee->refusal = build(search, callee);
    }
    if (callee->refusal == NULL) {
        callee->vectors = vectors_of(callee);
        add_callees(search, callee->kernel->function);
    }
}

void simd_find_callees(struct lower_context *lower, struct simd_callees *callees)
{
    struct search search = {.lower = lower, .callees = callees};
    if (check_any(&lower->options->checks) || lower->options->checks.counts ||
        lower->options->sanitize.address || simd_setting_calls_lanes()) {
        return;
    }
    lower_graph_build(lower, &search.graph);
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined) {
            add_callees(&search, lower->kernels[i].entry);
        }
    }
    for (size_t i = 0; i < callees->count; i++) {
        examine(&search, callees->items[i]);
    }
}

void simd_forget_callees(struct simd_callees *callees)
{
    for (size_t i = 0; i < callees->count; i++) {
        const struct simd_kernel *kernel = callees->items[i]->kernel;
        if (kernel != NULL) {
            LLVMDeleteFunction(kernel->function);
        }
    }
}
