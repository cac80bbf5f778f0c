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
#include "simd/prepare/nans.h"

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

/* Whether a sum may be contracted with a product, so far as the product's other uses allow it. */
static bool takes_product(LLVMValueRef sum, LLVMValueRef product)
{
    return is_sum(sum) && LLVMGetInstructionParent(sum) == LLVMGetInstructionParent(product) &&
           simd_without_nan(LLVMGetOperand(sum, 0)) != simd_without_nan(LLVMGetOperand(sum, 1));
}

/* The search for other uses of a product ends after some, so that it is short in any program. */
enum { MOST_USES = 64 };

/* Whether only sums use the value: a product, or what gives it a GPU's NaN. */
static bool only_sums_use(LLVMValueRef value, LLVMValueRef product)
{
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_between = simd_tested_for_nan(user) == product || simd_without_nan(user) == product;
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

static void contract(struct lower_context *lower, LLVMValueRef sum, unsigned index)
{
    LLVMBuilderRef builder = lower_builder_before(lower, sum);
    LLVMValueRef addend = LLVMGetOperand(sum, index), other = LLVMGetOperand(sum, 1 - index);
    LLVMValueRef product = simd_without_nan(addend);
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
    simd_erase_unused(addend);
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
        if (is_product_for(simd_without_nan(LLVMGetOperand(at, index)), at)) {
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
