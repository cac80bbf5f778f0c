/* Contraction of a product and a sum into one operation.
 *
 * Like nvcc, cdpcc rounds a * b + c once where the processor can.  In a * b + c * d either product
 * may become part of the operation.  LLVM's code generator chooses the one that it visits first,
 * which need not be the same in a thread entry and in a block entry.  So the choice is made here,
 * before a block entry is made from a thread entry: the first product, if it has no other use.  No
 * other operation may then be contracted with a contracted one. */
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

static bool has_one_use(LLVMValueRef value)
{
    LLVMUseRef first = LLVMGetFirstUse(value);
    return first != NULL && LLVMGetNextUse(first) == NULL;
}

static bool is_product_for(LLVMValueRef value, LLVMValueRef sum)
{
    return LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMFMul &&
           may_contract(value) && has_one_use(value) &&
           LLVMGetInstructionParent(value) == LLVMGetInstructionParent(sum);
}

static void contract(struct lower_context *lower, LLVMValueRef sum, unsigned index)
{
    LLVMBuilderRef builder = lower_builder_before(lower, sum);
    LLVMValueRef product = LLVMGetOperand(sum, index), other = LLVMGetOperand(sum, 1 - index);
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
    LLVMInstructionEraseFromParent(product);
    LLVMDisposeBuilder(builder);
}

static bool is_single(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
           LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static void join_sum(struct lower_context *lower, LLVMValueRef at)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    if ((opcode != LLVMFAdd && opcode != LLVMFSub) || !may_contract(at) ||
        !is_single(LLVMTypeOf(at))) {
        return;
    }
    for (unsigned index = 0; index < 2; index++) {
        if (is_product_for(LLVMGetOperand(at, index), at)) {
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
