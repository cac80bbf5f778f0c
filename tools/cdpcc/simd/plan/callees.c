/* Which versions of functions calls use.
 *
 * A function that stays a call (__noinline__, recursive, or too large to be inlined) has a version
 * for each combination of uniform and varying parameters with which it is called:
 *
 *     f(x[i], n)         f(mask, vector of x, scalar n)
 *     f(x[i], i)         f(mask, vector of x, scalar of lane 0): the stride is part of the version
 *     f(x[i], k[i])      f(mask, vector of x, vector of k)
 *
 * The version is planned like a kernel of one region, whose only chunk is that of the caller.  It
 * may call other functions, and itself.  While a function is planned, its calls of itself are
 * assumed to be vectorized.  If it is refused after all, whatever was planned meanwhile is
 * forgotten, since that may depend on it.
 *
 * A version that is estimated to take longer than its scalar calls is refused: one of little but
 * gathers, or with long branches that few lanes take. */
#include "simd/plan/callees.h"

#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/kernel.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/settings.h"
#include "simd/ir/counts.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/plan/calls.h"
#include "simd/plan/cost.h"
#include "simd/plan/plan.h"
#include "simd/plan/valid.h"
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <stdlib.h>

/* Of one callee, with the same lanes.  Further calls use the one for varying parameters. */
enum { MOST_VERSIONS = 4 };

/* NULL: the instruction is no call of one of the callees. */
static const struct simd_callee *callee_of(const struct simd_kernel *kernel, LLVMValueRef call)
{
    const struct simd_callees *callees = simd_callees_of(kernel);
    LLVMValueRef function = LLVMIsACallInst(call) != NULL ? lower_callee(call) : NULL;
    unsigned number;
    return callees != NULL && function != NULL &&
                   lower_map_find(&callees->numbers, function, &number)
               ? callees->items[number]
               : NULL;
}

bool simd_is_vectorizable(const struct simd_kernel *kernel, LLVMValueRef call)
{
    const struct simd_callee *callee = callee_of(kernel, call);
    return callee != NULL && callee->refusal == NULL;
}

/* An operand's shape as a parameter.  Affine shapes that need no test stay what they are, but not
 * in a recursion: its next call mostly has another shape. */
static struct simd_shape shape_as_parameter(const struct simd_kernel *kernel,
                                            const struct simd_callee *callee, LLVMValueRef operand)
{
    const struct simd_shape *shape = simd_shape_of(kernel, operand);
    bool is_affine =
        shape->kind == SHAPE_LINEAR && shape->check == CHECK_NONE && !callee->is_recursive;
    return simd_is_uniform(kernel, operand) ? simd_uniform_shape
           : is_affine                      ? *shape
                                            : simd_varying_shape;
}

/* The shapes of the callee's values that are parameters.  The first one is that of kernels. */
static struct simd_shape *shapes_of(const struct simd_kernel *kernel,
                                    const struct simd_callee *callee, LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call);
    struct simd_shape *shapes = arena_alloc((count + 1) * sizeof *shapes);
    shapes[0] = simd_uniform_shape;
    for (unsigned i = 0; i < count; i++) {
        shapes[i + 1] = shape_as_parameter(kernel, callee, LLVMGetArgOperand(call, i));
    }
    return shapes;
}

static void make_varying(struct simd_shape *shapes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        shapes[i + 1] = simd_varying_shape;
    }
}

static bool is_same(const struct simd_shape *a, const struct simd_shape *b)
{
    return a->kind == b->kind &&
           (a->kind != SHAPE_LINEAR ||
            (a->stride == b->stride && a->is_signed_exact == b->is_signed_exact &&
             a->is_unsigned_exact == b->is_unsigned_exact));
}

static bool are_same(const struct simd_shape *a, const struct simd_shape *b, unsigned count)
{
    bool are = true;
    for (unsigned i = 0; i < count; i++) {
        are &= is_same(&a[i + 1], &b[i + 1]);
    }
    return are;
}

/* Finds the version for these shapes, and counts those that differ in them only. */
static struct simd_vector_function *find(const struct simd_callees *callees,
                                         const struct simd_vector_function *wanted, unsigned count,
                                         unsigned *others)
{
    *others = 0;
    for (size_t i = 0; i < callees->function_count; i++) {
        struct simd_vector_function *at = callees->functions[i];
        if (at->callee != wanted->callee || at->lanes != wanted->lanes ||
            at->vectors != wanted->vectors || at->in_halves != wanted->in_halves) {
            continue;
        }
        if (are_same(at->arguments, wanted->arguments, count)) {
            return at;
        }
        ++*others;
    }
    return NULL;
}

static const char *cost_refusal(const struct simd_plan *plan, struct simd_cost cost)
{
    return simd_is_slower(plan, cost) && !simd_setting_calls_vectors()
               ? "its vector form is estimated to take longer"
               : NULL;
}

/* A recursion that continues lane by lane is better one from the start. */
static const char *recursion_refusal(const struct simd_plan *plan, const struct simd_callee *callee)
{
    const struct simd_kernel *kernel = plan->kernel;
    for (size_t v = 0; callee->is_recursive && v < simd_value_count(kernel); v++) {
        const struct simd_callee *called = callee_of(kernel, simd_value_at(kernel, v));
        if (plan->calls[v] == CALL_SCALARIZED && called != NULL && called->is_recursive) {
            return "it calls itself one lane after the other";
        }
    }
    return NULL;
}

/* Plans the version.  It is in the list already, so that it can call itself. */
static void plan_version(struct simd_callees *callees, struct simd_vector_function *version,
                         const struct simd_options *options)
{
    size_t end = callees->function_count;
    struct simd_kernel *kernel = arena_alloc(sizeof *kernel);
    *kernel = *version->callee->kernel;
    kernel->variant = (struct simd_variant){
        .layout = LAYOUT_ANY, .lanes = version->lanes, .arguments = version->arguments};
    struct simd_options own = *options;
    own.vectors = own.vectors_of_size = version->vectors;
    own.is_cold = false;
    own.prefix = "vector";
    const struct simd_plan *plan = simd_plan_make(kernel, &own);
    if (simd_setting_verifies() && !simd_plan_is_valid(plan)) {
        abort();
    }
    version->refusal = plan->refusal;
    if (version->refusal == NULL) {
        version->cost = simd_cost_of(plan);
        version->refusal = recursion_refusal(plan, version->callee);
    }
    if (version->refusal == NULL) {
        version->refusal = cost_refusal(plan, version->cost);
    }
    version->plan = plan;
    if (version->refusal != NULL && version->is_assumed) {
        callees->function_count = end;
    }
}

/* Rows with padding have vectors whose threads do not follow each other. */
static unsigned vectors_for(const struct simd_plan *plan, const struct simd_callee *callee)
{
    bool is_padded = simd_variant_of(plan->kernel)->layout == LAYOUT_PADDED;
    unsigned vectors = is_padded ? 1 : callee->vectors;
    return vectors < plan->options.vectors ? vectors : plan->options.vectors;
}

struct simd_vector_function *simd_vector_function_for(const struct simd_plan *plan,
                                                      LLVMValueRef call, const char **why)
{
    const struct simd_callee *callee = callee_of(plan->kernel, call);
    struct simd_callees *callees = simd_callees_of(plan->kernel);
    *why = callee == NULL ? NULL : callee->refusal;
    if (callee == NULL || callee->refusal != NULL) {
        return NULL;
    }
    unsigned count = LLVMGetNumArgOperands(call), others;
    struct simd_shape *shapes = shapes_of(plan->kernel, callee, call);
    struct simd_vector_function wanted = {.callee = callee,
                                          .arguments = shapes,
                                          .lanes = plan->options.lanes,
                                          .vectors = vectors_for(plan, callee),
                                          .in_halves = plan->options.in_halves};
    struct simd_vector_function *found = find(callees, &wanted, count, &others);
    if (found == NULL && others >= MOST_VERSIONS) {
        make_varying(shapes, count);
        found = find(callees, &wanted, count, &others);
    }
    if (found == NULL) {
        found = arena_alloc(sizeof *found);
        *found = wanted;
        LOWER_PUSH(callees->functions, callees->function_count, found);
        plan_version(callees, found, &plan->options);
    } else {
        found->is_assumed |= found->plan == NULL;
    }
    *why = found->refusal;
    return found->refusal == NULL ? found : NULL;
}
