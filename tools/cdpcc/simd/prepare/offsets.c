/* Constant parts of indices become constant offsets of addresses.
 *
 *     a[4 * i + 1]    with an unsigned i
 *
 *     before:  %x = shl i32 %i, 2           after:  %x = shl i32 %i, 2
 *              %j = or disjoint i32 %x, 1           %wide = zext i32 %x to i64
 *              %wide = zext i32 %j to i64           %p = getelementptr float, ptr %a, i64 %wide
 *              getelementptr float, %a, %wide       getelementptr i8, ptr %p, i64 4
 *
 * Then a[4 * i] to a[4 * i + 3] have one base, and are an interleave group. So have a[i - 1] and
 * a[i] with a signed i. A disjoint or has no carry, and the sum of a signed index has a flag that
 * says that it does not wrap. LLVM does the same with such sums, but not with one that is the index
 * of two arrays. A sum of 64 bits may wrap around. */
#include "simd/prepare/offsets.h"

#include "ir/context.h"
#include "ir/value.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* A sign extension, or a zero extension of a number that is not negative. */
static bool extends_signed(LLVMValueRef index)
{
    return LLVMIsASExtInst(index) != NULL || (LLVMIsAZExtInst(index) != NULL && LLVMGetNNeg(index));
}

/* A sum of 64 bits with a constant: addresses are computed modulo 2^64, so it may wrap around. */
static bool is_wide_sum(LLVMValueRef index)
{
    if (LLVMIsABinaryOperator(index) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64 ||
        LLVMIsAConstantInt(LLVMGetOperand(index, 1)) == NULL) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(index);
    return opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(index));
}

/* The extension of a sum with a constant, which is the sum of both extensions. */
static bool is_extended_sum(LLVMValueRef index)
{
    bool is_signed = extends_signed(index);
    LLVMValueRef sum =
        is_signed || LLVMIsAZExtInst(index) != NULL ? LLVMGetOperand(index, 0) : NULL;
    if (sum == NULL || LLVMIsABinaryOperator(sum) == NULL ||
        LLVMGetIntTypeWidth(LLVMTypeOf(sum)) > 64 ||
        LLVMIsAConstantInt(LLVMGetOperand(sum, 1)) == NULL) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(sum);
    bool is_exact = opcode == LLVMAdd && (is_signed ? LLVMGetNSW(sum) : LLVMGetNUW(sum));
    bool is_bits = opcode == LLVMOr && LLVMGetIsDisjoint(sum);
    int64_t number = LLVMConstIntGetSExtValue(LLVMGetOperand(sum, 1));
    return (is_exact && is_signed && number != 0) || ((is_exact || is_bits) && number > 0);
}

/* The sum without its constant, as 64 bits. */
static LLVMValueRef rest_of(LLVMBuilderRef builder, LLVMValueRef index)
{
    LLVMValueRef sum = is_wide_sum(index) ? index : LLVMGetOperand(index, 0);
    LLVMValueRef rest = LLVMGetOperand(sum, 0);
    return sum == index            ? rest
           : extends_signed(index) ? LLVMBuildSExt(builder, rest, LLVMTypeOf(index), "")
                                   : LLVMBuildZExt(builder, rest, LLVMTypeOf(index), "");
}

static void split(struct lower_context *lower, LLVMValueRef address)
{
    LLVMValueRef index = LLVMGetOperand(address, 1);
    LLVMValueRef sum = is_wide_sum(index) ? index : LLVMGetOperand(index, 0);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    uint64_t bytes = (uint64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(sum, 1)) *
                     LLVMABISizeOfType(lower->layout, type);
    LLVMBuilderRef builder = lower_builder_before(lower, address);
    LLVMValueRef offset = LLVMConstInt(lower->types.i64, bytes, 0), rest = rest_of(builder, index);
    LLVMValueRef base = LLVMBuildGEP2(builder, type, LLVMGetOperand(address, 0), &rest, 1, "");
    LLVMReplaceAllUsesWith(address, LLVMBuildGEP2(builder, lower->types.i8, base, &offset, 1, ""));
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(address);
}

static bool is_split(LLVMValueRef index)
{
    return is_wide_sum(index) || is_extended_sum(index);
}

bool simd_split_offsets(struct lower_context *lower, LLVMValueRef function)
{
    bool changes = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            if (LLVMIsAGetElementPtrInst(at) != NULL && LLVMGetNumOperands(at) == 2 &&
                is_split(LLVMGetOperand(at, 1))) {
                split(lower, at);
                changes = true;
            }
        }
    }
    return changes;
}
