/* What each call becomes.
 *
 * The kinds, in the order in which they are tried:
 *
 *     __shfl_sync(...)          WARP        a permutation of lanes
 *     guard(outside, ...)   GUARD       a call for each lane that is outside; usually none is
 *     race_load(site, a, 4) RECORD      one call for a vector
 *     count_access(...)     COUNT       one call for whole warps
 *     min(i, n - 1)             CLAMP       affine, if no lane is beyond the limit
 *     assume, lifetime          DROPPED
 *     sqrt(uniform)             SCALAR      one call
 *     sqrt(varying)             VECTOR      llvm.sqrt.v16f32
 *     (int)f                    SATURATE    a conversion that saturates as on a GPU
 *     __umul64hi(a, b)      PRODUCT     four products of 32-bit halves
 *     *p = *q of 16 bytes       COPY        one llvm.memmove for the lanes of a vector
 *     f(x, y)                   FUNCTION    one call of f's version for all lanes (plan/callees.c)
 *     printf(...)               SCALARIZED  a loop over the active lanes */
#include "simd/plan/calls.h"

#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"
#include "simd/ir/wide_calls.h"
#include "simd/plan/callees.h"
#include "simd/plan/plan.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <string.h>

static const struct simd_vector_form forms[] = {
    {"llvm.sqrt", 1},       {"llvm.fabs", 1},       {"llvm.fma", 3},        {"llvm.fmuladd", 3},
    {"llvm.floor", 1},      {"llvm.ceil", 1},       {"llvm.trunc", 1},      {"llvm.rint", 1},
    {"llvm.nearbyint", 1},  {"llvm.roundeven", 1},  {"llvm.round", 1},      {"llvm.copysign", 2},
    {"llvm.minimumnum", 2}, {"llvm.maximumnum", 2}, {"llvm.minimum", 2},    {"llvm.maximum", 2},
    {"llvm.smin", 2},       {"llvm.smax", 2},       {"llvm.umin", 2},       {"llvm.umax", 2},
    {"llvm.ctpop", 1},      {"llvm.bswap", 1},      {"llvm.bitreverse", 1}, {"llvm.fshl", 3},
    {"llvm.fshr", 3},       {"llvm.ctlz", 1},       {"llvm.cttz", 1},       {"llvm.abs", 1},
    {"llvm.uadd.sat", 2},   {"llvm.sadd.sat", 2},   {"llvm.usub.sat", 2},   {"llvm.ssub.sat", 2},
};

/* The name must continue with a dot, so that llvm.minimumnum is not confused with llvm.minimum. */
const struct simd_vector_form *simd_vector_form_of(LLVMValueRef call)
{
    const char *name = simd_callee_name(call);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t length = strlen(forms[i].name);
        if (strncmp(name, forms[i].name, length) == 0 && name[length] == '.') {
            return &forms[i];
        }
    }
    return NULL;
}

static bool is_saturating(LLVMValueRef call)
{
    const char *name = simd_callee_name(call);
    return str_starts(name, "llvm.fptosi.sat.") || str_starts(name, "llvm.fptoui.sat.");
}

/* A copy of so few bytes that LLVM emits no library call for one lane. */
static bool is_small_copy(LLVMValueRef call)
{
    enum { MOST_COPIED = 64 };
    LLVMValueRef length = LLVMIsAMemCpyInst(call) != NULL ? LLVMGetOperand(call, 2) : NULL;
    return length != NULL && LLVMIsAConstantInt(length) != NULL &&
           LLVMConstIntGetZExtValue(length) <= MOST_COPIED && LLVMIsNull(LLVMGetOperand(call, 3));
}

/* The lanes' structures of that size are proven to be contiguous if all lanes are active. */
static bool is_contiguous(const struct simd_kernel *kernel, LLVMValueRef address, uint64_t size)
{
    struct simd_shape at = *simd_shape_of(kernel, address);
    return at.kind == SHAPE_LINEAR && at.stride == (int64_t)size && at.check != CHECK_ALWAYS;
}

static bool is_contiguous_copy(const struct simd_kernel *kernel, LLVMValueRef call)
{
    if (!is_small_copy(call)) {
        return false;
    }
    uint64_t size = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    return is_contiguous(kernel, LLVMGetOperand(call, 0), size) &&
           is_contiguous(kernel, LLVMGetOperand(call, 1), size);
}

enum simd_call_kind simd_call_kind_of(const struct simd_kernel *kernel, LLVMValueRef call)
{
    struct simd_shape shape = *simd_shape_of(kernel, call);
    bool is_void = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
    bool is_same = !is_void && shape.kind <= SHAPE_VECTOR && shape.kind != SHAPE_UNKNOWN;
    return simd_warp_operation_of(call) != WARP_NONE ? CALL_WARP
           : simd_is_guard(call)                     ? CALL_GUARD
           : simd_record_form_of(call) != NULL       ? CALL_RECORD
           : simd_count_of(call) == COUNT_END        ? CALL_DROPPED
           : simd_count_of(call) != COUNT_NONE       ? CALL_COUNT
           : shape.kind == SHAPE_LINEAR              ? CALL_CLAMP
           : simd_is_hint(call)                      ? CALL_DROPPED
           : is_same                                 ? CALL_SCALAR
           : simd_vector_form_of(call) != NULL       ? CALL_VECTOR
           : is_saturating(call)                     ? CALL_SATURATE
           : simd_is_high_product(call)              ? CALL_PRODUCT
           : is_contiguous_copy(kernel, call)        ? CALL_COPY
           : is_small_copy(call)                     ? CALL_COPY_EACH
                                                     : CALL_SCALARIZED;
}

void simd_plan_calls(struct simd_plan *plan)
{
    const struct simd_kernel *kernel = plan->kernel;
    size_t count = simd_value_count(kernel);
    enum simd_call_kind *kinds = arena_alloc((count + 1) * sizeof *kinds);
    struct simd_vector_function **functions = arena_alloc((count + 1) * sizeof(void *));
    const char *why;
    for (size_t v = 0; v < count; v++) {
        LLVMValueRef at = simd_value_at(kernel, v);
        if (simd_node_of_number(kernel, v) < 0 || LLVMIsACallInst(at) == NULL ||
            simd_is_barrier(at)) {
            continue;
        }
        kinds[v] = simd_call_kind_of(kernel, at);
        if (kinds[v] == CALL_SCALARIZED && !simd_is_serial_child(at)) {
            functions[v] = simd_vector_function_for(plan, at, &why);
            kinds[v] = functions[v] != NULL ? CALL_FUNCTION : CALL_SCALARIZED;
        }
    }
    plan->calls = kinds;
    plan->functions = functions;
}

/* The call may set or read the thread's last error.  A call of a function of the program may do
 * both. */
bool simd_may_fail(LLVMValueRef call)
{
    LLVMValueRef callee = lower_callee(call);
    return callee != NULL && !simd_is_guard(call) && !simd_is_serial_child(call) &&
           (!LLVMIsDeclaration(callee) || strncmp(lower_name(callee), "cdp_abi_cuda", 12) == 0);
}
