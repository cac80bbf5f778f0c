/* Contraction of a product and a sum into one operation.
 *
 * Like nvcc, cdpcc rounds a * b + c once where the processor can.  In a * b + c * d either product
 * may become part of the operation.  LLVM's code generator chooses the one that it visits first,
 * which need not be the same in a thread entry and in a block entry.  So the choice is made here,
 * before a block entry is made from a thread entry: the first product, if only sums use it.  No
 * other operation may then be contracted with a contracted one.
 *
 * The product of a mul of inline PTX has a GPU's NaN (ptx/float.c):
 *
 *     %product = fmul contract float %a, %b
 *     %is.nan = fcmp uno float %product, 0.0
 *     %one.nan = select i1 %is.nan, float 0x7fffffff, float %product
 *     %sum = fadd contract float %one.nan, %c
 *
 * The sum then uses the product: any NaN of it makes the sum a NaN, too. */
#include "simd/prepare/contract.h"

#include "ir/value.h"
#include "lower/float.h"

static LLVMFastMathFlags flags_of(LLVMValueRef at)
{
    return LLVMCanValueUseFastMathFlags(at) ? LLVMGetFastMathFlags(at) : LLVMFastMathNone;
}

static bool may_contract(LLVMValueRef at)
{
    return (flags_of(at) & LLVMFastMathAllowContract) != 0;
}

static bool is_instruction(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == opcode;
}

static bool is_sum(LLVMValueRef value)
{
    return (is_instruction(value, LLVMFAdd) || is_instruction(value, LLVMFSub)) &&
           may_contract(value);
}

/* The operand of a test whether a value is a NaN, or of its opposite; NULL if it is no such test.
 */
static LLVMValueRef tested_for_nan(LLVMValueRef value)
{
    if (!is_instruction(value, LLVMFCmp) || LLVMIsAConstantFP(LLVMGetOperand(value, 1)) == NULL) {
        return NULL;
    }
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(value);
    return predicate == LLVMRealUNO || predicate == LLVMRealORD ? LLVMGetOperand(value, 0) : NULL;
}

/* x of a select that gives x, or a constant if x is a NaN; else the value. */
static LLVMValueRef without_nan(LLVMValueRef value)
{
    LLVMValueRef x =
        is_instruction(value, LLVMSelect) ? tested_for_nan(LLVMGetOperand(value, 0)) : NULL;
    if (x == NULL) {
        return value;
    }
    bool is_ordered = LLVMGetFCmpPredicate(LLVMGetOperand(value, 0)) == LLVMRealORD;
    LLVMValueRef kept = LLVMGetOperand(value, is_ordered ? 1 : 2);
    LLVMValueRef other = LLVMGetOperand(value, is_ordered ? 2 : 1);
    return kept == x && LLVMIsAConstantFP(other) != NULL ? x : value;
}

/* Whether a sum may be contracted with a product, so far as the product's other uses allow it. */
static bool takes_product(LLVMValueRef sum, LLVMValueRef product)
{
    return is_sum(sum) && LLVMGetInstructionParent(sum) == LLVMGetInstructionParent(product) &&
           without_nan(LLVMGetOperand(sum, 0)) != without_nan(LLVMGetOperand(sum, 1));
}

/* The search for other uses of a product ends after some, so that it is short in any program. */
enum { MOST_USES = 64 };

/* Whether only sums use the value: a product, or what gives it a GPU's NaN. */
static bool only_sums_use(LLVMValueRef value, LLVMValueRef product)
{
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_between = tested_for_nan(user) == product || without_nan(user) == product;
        bool is_fit = is_between && user != product ? only_sums_use(user, product)
                                                    : takes_product(user, product);
        if (!is_fit || ++count == MOST_USES) {
            return false;
        }
    }
    return count != 0;
}

static bool is_product_for(LLVMValueRef value, LLVMValueRef sum)
{
    return is_instruction(value, LLVMFMul) && may_contract(value) && takes_product(sum, value) &&
           only_sums_use(value, value);
}

/* Erases what is not used any more: the value, then its operands. */
static void erase_unused(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value) == NULL || LLVMGetFirstUse(value) != NULL) {
        return;
    }
    LLVMValueRef test = is_instruction(value, LLVMSelect) ? LLVMGetOperand(value, 0) : NULL;
    LLVMValueRef product = without_nan(value);
    LLVMInstructionEraseFromParent(value);
    if (test != NULL) {
        erase_unused(test);
        erase_unused(product);
    }
}

static void contract(struct lower_context *lower, LLVMValueRef sum, unsigned index)
{
    LLVMBuilderRef builder = lower_builder_before(lower, sum);
    LLVMValueRef addend = LLVMGetOperand(sum, index), other = LLVMGetOperand(sum, 1 - index);
    LLVMValueRef product = without_nan(addend);
    LLVMValueRef a = LLVMGetOperand(product, 0), b = LLVMGetOperand(product, 1);
    if (LLVMGetInstructionOpcode(sum) == LLVMFSub) {
        *(index == 0 ? &other : &a) = LLVMBuildFNeg(builder, index == 0 ? other : a, "");
    }
    LLVMTypeRef type = LLVMTypeOf(sum);
    LLVMValueRef arguments[] = {a, b, other};
    LLVMValueRef joined = lower_intrinsic(lower, builder, "llvm.fmuladd", &type, 1, arguments, 3);
    LLVMSetFastMathFlags(joined, flags_of(sum));
    LLVMReplaceAllUsesWith(sum, joined);
    LLVMInstructionEraseFromParent(sum);
    erase_unused(addend);
    LLVMDisposeBuilder(builder);
}

static bool is_single(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
           LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static void join_sum(struct lower_context *lower, LLVMValueRef at)
{
    if (!is_sum(at) || !is_single(LLVMTypeOf(at))) {
        return;
    }
    for (unsigned index = 0; index < 2; index++) {
        if (is_product_for(without_nan(LLVMGetOperand(at, index)), at)) {
            contract(lower, at, index);
            return;
        }
    }
}

void simd_contract(struct lower_context *lower)
{
    lower_each_instruction(lower, join_sum);
    lower_each_instruction(lower, lower_forbid_contraction);
}
