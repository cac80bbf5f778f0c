/* The low halves of products of which both halves are used, as in random number generators and
 * hashes.
 *
 *     p = a * b (64 bits)                  p = a * b (64 bits)
 *     high = p >> 32             ->        high = p >> 32
 *     low = p (32 bits)                    low = a * b (32 bits)
 *
 * Then only the high half of p is used.  For that the backend multiplies the even and the odd lanes
 * of vectors.  With two uses, it would extend all lanes to 64 bits. */
#include "simd/prepare/low_products.h"

#include "ir/context.h"
#include "ir/value.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

enum { HALF = 32 };

/* The number with half the bits that was extended; NULL: it is no such number. */
static LLVMValueRef narrow(LLVMValueRef operand)
{
    if (LLVMIsAConstantInt(operand) != NULL) {
        return LLVMConstTrunc(operand,
                              LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(operand)), HALF));
    }
    if (LLVMIsAZExtInst(operand) == NULL && LLVMIsASExtInst(operand) == NULL) {
        return NULL;
    }
    LLVMValueRef from = LLVMGetOperand(operand, 0);
    return LLVMGetIntTypeWidth(LLVMTypeOf(from)) == HALF ? from : NULL;
}

static bool has_high_half(LLVMValueRef product)
{
    for (LLVMUseRef use = LLVMGetFirstUse(product); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
        LLVMValueRef by = opcode == LLVMLShr || opcode == LLVMAShr ? LLVMGetOperand(user, 1) : NULL;
        if (by != NULL && LLVMIsAConstantInt(by) != NULL && LLVMConstIntGetZExtValue(by) == HALF) {
            return true;
        }
    }
    return false;
}

/* Replaces a truncation to the low half. */
static void split(struct lower_context *lower, LLVMValueRef at)
{
    LLVMTypeRef i32 = lower->types.i32, i64 = lower->types.i64;
    LLVMValueRef product = LLVMIsATruncInst(at) != NULL ? LLVMGetOperand(at, 0) : NULL;
    if (product == NULL || LLVMTypeOf(at) != i32 || LLVMTypeOf(product) != i64 ||
        LLVMIsABinaryOperator(product) == NULL || LLVMGetInstructionOpcode(product) != LLVMMul) {
        return;
    }
    LLVMValueRef a = narrow(LLVMGetOperand(product, 0)), b = narrow(LLVMGetOperand(product, 1));
    if (a == NULL || b == NULL || !has_high_half(product)) {
        return;
    }
    LLVMBuilderRef builder = lower_builder_before(lower, at);
    LLVMReplaceAllUsesWith(at, LLVMBuildMul(builder, a, b, ""));
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(at);
}

void simd_split_products(struct lower_context *lower, LLVMValueRef function)
{
    LLVMValueRef next;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            split(lower, at);
        }
    }
}
