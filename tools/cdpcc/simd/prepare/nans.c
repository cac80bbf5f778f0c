/* The NaNs of inline PTX's operations, so far as their bits matter.
 *
 * Each operation on float replaces a NaN by that of a GPU. A chain of operations would do that
 * after each one, and each would wait for it:
 *
 *     %sum = call float @llvm.fma.f32(float %a, float %b, float %before)
 *     %is.nan = fcmp uno float %sum, 0.0
 *     %one.nan = select i1 %is.nan, float 0x7fffffff, float %sum
 *     %next = call float @llvm.fma.f32(float %c, float %d, float %one.nan)
 *
 * If the result of %next is replaced, too, or if a comparison uses %one.nan, it may use %sum: any
 * NaN gives the same. The same holds around a loop, for a phi that only such operations use. */
#include "simd/prepare/nans.h"

#include "ir/value.h"

#include <math.h>
#include <string.h>

static bool is_instruction(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == opcode;
}

LLVMValueRef simd_tested_for_nan(LLVMValueRef value)
{
    if (!is_instruction(value, LLVMFCmp) || LLVMIsAConstantFP(LLVMGetOperand(value, 1)) == NULL) {
        return NULL;
    }
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(value);
    return predicate == LLVMRealUNO || predicate == LLVMRealORD ? LLVMGetOperand(value, 0) : NULL;
}

static bool is_operation(LLVMValueRef value)
{
    static const LLVMOpcode opcodes[] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv};
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        if (is_instruction(value, opcodes[i])) {
            return true;
        }
    }
    LLVMValueRef callee = is_instruction(value, LLVMCall) ? lower_callee(value) : NULL;
    return callee != NULL && strncmp(lower_name(callee), "llvm.fm", 7) == 0 &&
           LLVMGetNumArgOperands(value) == 3; /* fma, fmuladd */
}

static bool has_operand(LLVMValueRef value, LLVMValueRef operand)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (LLVMGetOperand(value, i) == operand) {
            return true;
        }
    }
    return false;
}

static bool is_nan(LLVMValueRef value)
{
    LLVMBool is_rounded;
    return LLVMIsAConstantFP(value) != NULL && isnan(LLVMConstRealGetDouble(value, &is_rounded));
}

/* The optimizer also moves the select behind the next operation, and tests the operand of it. */
LLVMValueRef simd_without_nan(LLVMValueRef value)
{
    LLVMValueRef test = is_instruction(value, LLVMSelect) ? LLVMGetOperand(value, 0) : NULL;
    LLVMValueRef x = test == NULL ? NULL : simd_tested_for_nan(test);
    if (x == NULL) {
        return value;
    }
    bool is_ordered = LLVMGetFCmpPredicate(test) == LLVMRealORD;
    LLVMValueRef kept = LLVMGetOperand(value, is_ordered ? 1 : 2);
    bool is_fit = kept == x || (is_operation(kept) && has_operand(kept, x));
    return is_fit && is_nan(LLVMGetOperand(value, is_ordered ? 2 : 1)) ? kept : value;
}

void simd_erase_unused(LLVMValueRef value)
{
    bool has_no_effect =
        is_instruction(value, LLVMSelect) || is_instruction(value, LLVMFCmp) || is_operation(value);
    if (!has_no_effect || LLVMGetFirstUse(value) != NULL) {
        return;
    }
    LLVMValueRef test = is_instruction(value, LLVMSelect) ? LLVMGetOperand(value, 0) : NULL;
    LLVMValueRef replaced = simd_without_nan(value);
    bool replaces_nan = replaced != value;
    LLVMInstructionEraseFromParent(value);
    if (test != NULL) {
        simd_erase_unused(test);
    }
    if (replaces_nan) {
        simd_erase_unused(replaced);
    }
}

/* Whether all NaNs of a value give the same in its user: it is a comparison, or an operation whose
 * NaN is replaced, or it replaces the value's. */
static bool ignores_bits(LLVMValueRef user, LLVMValueRef value)
{
    if (is_instruction(user, LLVMFCmp) ||
        (is_instruction(user, LLVMSelect) && simd_without_nan(user) == value)) {
        return true;
    }
    LLVMUseRef use = is_operation(user) ? LLVMGetFirstUse(user) : NULL;
    bool is_used = use != NULL;
    for (; use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef next = LLVMGetUser(use);
        if (!is_instruction(next, LLVMFCmp) && simd_without_nan(next) != user) {
            return false;
        }
    }
    return is_used;
}

static bool ignores_bits_by_phi(LLVMValueRef phi)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use)) {
        if (!ignores_bits(LLVMGetUser(use), phi)) {
            return false;
        }
    }
    return LLVMIsAPHINode(phi) != NULL;
}

static void replace_operand(LLVMValueRef user, LLVMValueRef before, LLVMValueRef after)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++) {
        if (LLVMGetOperand(user, i) == before) {
            LLVMSetOperand(user, i, after);
        }
    }
}

/* Replaces a value in the users that ignore its bits: in comparisons, or in others. */
static void replace_where_ignored(LLVMValueRef at, LLVMValueRef replaced, bool in_comparisons)
{
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        while (next != NULL && LLVMGetUser(next) == user) { /* they change together */
            next = LLVMGetNextUse(next);
        }
        if (is_instruction(user, LLVMFCmp) == in_comparisons &&
            (ignores_bits(user, at) || ignores_bits_by_phi(user))) {
            replace_operand(user, at, replaced);
        }
    }
}

/* Comparisons come last: by them an operation shows that its NaN is replaced. */
static void pass_on(struct lower_context *lower, LLVMValueRef at)
{
    (void)lower;
    LLVMValueRef replaced = simd_without_nan(at);
    if (replaced != at) {
        replace_where_ignored(at, replaced, false);
        replace_where_ignored(at, replaced, true);
        simd_erase_unused(at);
    }
}

void simd_drop_nans(struct lower_context *lower)
{
    lower_each_instruction(lower, pass_on);
}
