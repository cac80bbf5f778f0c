/* Division of vectors of integers.
 *
 * Processors have none, and LLVM divides lane by lane.  A double holds each 32-bit number exactly.
 * A quotient by b that is no integer is at least 1 / b away from the next one, and less than 2^32 /
 * b, so that rounding moves it by less than 2^-20 / b.  So cutting it off gives the right one. */
#include "block/block.h"

bool block_divides_by_vectors(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    bool is_division =
        opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
    return is_division && LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)) == NULL &&
           LLVMGetIntTypeWidth(LLVMTypeOf(instruction)) == 32;
}

LLVMValueRef block_divide(struct block_emit *emit, LLVMOpcode opcode, LLVMValueRef a,
                          LLVMValueRef b)
{
    LLVMBuilderRef builder = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMTypeRef wide = block_vector_type(emit, LLVMDoubleTypeInContext(emit->lower->llvm));
    bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
    LLVMOpcode to = is_signed ? LLVMSIToFP : LLVMUIToFP, back = is_signed ? LLVMFPToSI : LLVMFPToUI;
    LLVMValueRef quotient = LLVMBuildFDiv(builder, LLVMBuildCast(builder, to, a, wide, ""),
                                          LLVMBuildCast(builder, to, b, wide, ""), "");
    quotient = LLVMBuildCast(builder, back, quotient, type, "");
    if (opcode == LLVMUDiv || opcode == LLVMSDiv) {
        return quotient;
    }
    return LLVMBuildSub(builder, a, LLVMBuildMul(builder, quotient, b, ""), "");
}
