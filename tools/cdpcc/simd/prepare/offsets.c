/* Constant parts of indices become constant offsets of addresses.
 *
 *     a[4 * i + 1]    with an unsigned i
 *
 *     before:  %x = shl i32 %i, 2           after:  %x = shl i32 %i, 2
 *              %j = or disjoint i32 %x, 1           %wide = zext i32 %x to i64
 *              %wide = zext i32 %j to i64           %p = getelementptr float, ptr %a, i64 %wide
 *              getelementptr float, %a, %wide       getelementptr i8, ptr %p, i64 4
 *
 * Then a[4 * i] to a[4 * i + 3] have one base, and are an interleave group. LLVM does the same with
 * sums whose flags say that they do not wrap. A disjoint or has no carry, so it needs no flag. */
#include "simd/prepare/offsets.h"

#include "ir/context.h"
#include "ir/value.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* The extension of the bits of a number and of a constant, of which no two are at one place. */
static bool is_split(LLVMValueRef index)
{
    if (LLVMIsAZExtInst(index) == NULL && LLVMIsASExtInst(index) == NULL) {
        return false;
    }
    LLVMValueRef bits = LLVMGetOperand(index, 0);
    return LLVMIsABinaryOperator(bits) != NULL && LLVMGetInstructionOpcode(bits) == LLVMOr &&
           LLVMGetIsDisjoint(bits) && LLVMGetIntTypeWidth(LLVMTypeOf(bits)) <= 64 &&
           LLVMIsAConstantInt(LLVMGetOperand(bits, 1)) != NULL &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(bits, 1)) > 0;
}

static void split(struct lower_context *lower, LLVMValueRef address)
{
    LLVMValueRef index = LLVMGetOperand(address, 1), bits = LLVMGetOperand(index, 0);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    uint64_t bytes =
        LLVMConstIntGetZExtValue(LLVMGetOperand(bits, 1)) * LLVMABISizeOfType(lower->layout, type);
    LLVMBuilderRef builder = lower_builder_before(lower, address);
    LLVMValueRef offset = LLVMConstInt(lower->types.i64, bytes, 0), rest = LLVMGetOperand(bits, 0);
    rest = LLVMIsAZExtInst(index) != NULL ? LLVMBuildZExt(builder, rest, LLVMTypeOf(index), "")
                                          : LLVMBuildSExt(builder, rest, LLVMTypeOf(index), "");
    LLVMValueRef base = LLVMBuildGEP2(builder, type, LLVMGetOperand(address, 0), &rest, 1, "");
    LLVMReplaceAllUsesWith(address, LLVMBuildGEP2(builder, lower->types.i8, base, &offset, 1, ""));
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(address);
}

void simd_split_offsets(struct lower_context *lower, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            if (LLVMIsAGetElementPtrInst(at) != NULL && LLVMGetNumOperands(at) == 2 &&
                is_split(LLVMGetOperand(at, 1))) {
                split(lower, at);
            }
        }
    }
}
