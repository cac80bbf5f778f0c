/* Guards of --check: calls that happen only if a condition holds, which is rare.
 *
 *     call void @cdp.guard.memory(i1 %outside, ptr %a, ...)
 *
 * becomes one branch for the vectors of a chunk, and behind it a loop over the lanes for which the
 * condition holds:
 *
 *     %any = or of all lanes of %outside that are active
 *     br i1 %any, label %guard, label %on
 *
 * A comparison of an affine number with a limit, as in %outside = %offset >= %room, is first made
 * for the first and the last lane of each vector. If both are below the limit, so are the lanes
 * between them: limits are sizes of objects, so a number that wraps around on the way is above
 * them. The comparison of all lanes is then behind the branch, too. */
#include "simd/emit/guards.h"

#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/record.h"
#include "simd/emit/scalarize.h"
#include "simd/ir/calls.h"
#include "simd/ir/numbers.h"
#include "simd/ir/placement.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

#include <llvm-c/Core.h>
#include <stddef.h>

static int node_of(const struct simd_emit *emit, LLVMValueRef value)
{
    int number = simd_number(emit->kernel, value);
    return number < 0 ? -1 : simd_node_of_number(emit->kernel, (size_t)number);
}

/* Whether the guard's condition holds if an unsigned number is not below a limit. The two are
 * computed where the condition is: they may have no slots for other places. */
static bool is_limit(const struct simd_emit *emit, LLVMValueRef call)
{
    LLVMValueRef condition = LLVMGetOperand(call, 0);
    if (!str_ends(simd_callee_name(call), ".memory") || LLVMIsAICmpInst(condition) == NULL ||
        node_of(emit, condition) != node_of(emit, call)) {
        return false;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    return predicate == LLVMIntUGE || predicate == LLVMIntUGT;
}

/* i1: the first or the last lane of the vector is not below the limit, or the lanes do not follow
 * each other. */
static LLVMValueRef ends_reach(struct simd_emit *emit, LLVMIntPredicate predicate,
                               const struct simd_value *number, const struct simd_value *limit,
                               unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef first = simd_scalar(number, vector), most = simd_scalar(limit, vector);
    int64_t span = simd_value_stride(number) * (int64_t)(emit->lanes - 1);
    LLVMValueRef last = LLVMBuildAdd(b, first, simd_int(LLVMTypeOf(first), span), "");
    LLVMValueRef reach = LLVMBuildOr(b, LLVMBuildICmp(b, predicate, first, most, ""),
                                     LLVMBuildICmp(b, predicate, last, most, ""), "");
    if (number->holds[vector] != NULL) {
        reach = LLVMBuildOr(b, reach, LLVMBuildNot(b, number->holds[vector], ""), "");
    }
    return reach;
}

/* i1: some lane may reach the limit; NULL: that is not known from the ends of vectors. The
 * comparison may be of an earlier region, which has kept only its result. */
static LLVMValueRef may_reach(struct simd_emit *emit, LLVMValueRef call)
{
    if (!is_limit(emit, call)) {
        return NULL;
    }
    LLVMValueRef condition = LLVMGetOperand(call, 0), any = NULL;
    struct simd_value number = simd_get(emit, LLVMGetOperand(condition, 0));
    struct simd_value limit = simd_get(emit, LLVMGetOperand(condition, 1));
    if (!simd_value_is_affine(&number) || !simd_value_is_uniform(&limit)) {
        return NULL;
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef reach = ends_reach(emit, LLVMGetICmpPredicate(condition), &number, &limit, u);
        any = any == NULL ? reach : LLVMBuildOr(emit->builder, any, reach, "");
    }
    return any;
}

static void guard_lanes(struct simd_emit *emit, LLVMValueRef call)
{
    LLVMValueRef lanes[SIMD_MOST_VECTORS], *mask = emit->mask;
    struct simd_value condition = simd_get(emit, LLVMGetOperand(call, 0));
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef active = mask == NULL ? emit->full : mask[u];
        lanes[u] = simd_and(emit, active, simd_vector(emit, &condition, u));
    }
    struct simd_diamond guard = simd_begin_if(emit, simd_any(emit, lanes), false);
    emit->mask = lanes;
    if (simd_record_form_of(call) != NULL) {
        simd_record(emit, call);
    } else {
        simd_each_lane(emit, call);
    }
    emit->mask = mask;
    simd_end_if_without_else(emit, &guard);
}

/* i1: some shared memory of the block may be unwritten. NULL: the access is not of shared memory,
 * for which the check of initialization has no condition of its own. */
static LLVMValueRef may_be_unwritten(struct simd_emit *emit, LLVMValueRef call)
{
    LLVMValueRef condition = LLVMGetOperand(call, 0);
    if (!str_starts(simd_callee_name(call), LOWER_GUARDS "init_") ||
        LLVMIsAConstantInt(condition) == NULL) {
        return NULL;
    }
    size_t offset = offsetof(struct cdp_abi_block, shared_unwritten);
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef at = lower_field(emit->lower, emit->builder, emit->launch.block, offset, "");
    LLVMValueRef word = LLVMBuildLoad2(emit->builder, i32, at, "unwritten");
    return LLVMBuildICmp(emit->builder, LLVMIntNE, word, simd_int(i32, 0), "");
}

void simd_guard(struct simd_emit *emit, LLVMValueRef call)
{
    LLVMValueRef unwritten = may_be_unwritten(emit, call);
    LLVMValueRef may = unwritten != NULL ? unwritten : may_reach(emit, call);
    if (may == NULL) {
        guard_lanes(emit, call);
        return;
    }
    struct simd_diamond near = simd_begin_if(emit, may, false);
    guard_lanes(emit, call);
    simd_end_if_without_else(emit, &near);
}
