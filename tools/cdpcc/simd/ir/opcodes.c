/* Sets of opcodes. */
#include "simd/ir/opcodes.h"

#include <llvm-c/Core.h>
#include <stddef.h>

static bool is_binary(LLVMOpcode opcode)
{
    switch ((int)opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
        return true;
    default:
        return false;
    }
}

bool simd_is_cast(LLVMOpcode opcode)
{
    switch ((int)opcode) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        return true;
    default:
        return false;
    }
}

bool simd_is_division(LLVMOpcode opcode)
{
    return simd_is_signed_division(opcode) || opcode == LLVMUDiv || opcode == LLVMURem;
}

bool simd_is_signed_division(LLVMOpcode opcode)
{
    return opcode == LLVMSDiv || opcode == LLVMSRem;
}

bool simd_is_quotient(LLVMOpcode opcode)
{
    return opcode == LLVMUDiv || opcode == LLVMSDiv;
}

bool simd_is_inversion(LLVMValueRef instruction)
{
    return LLVMGetInstructionOpcode(instruction) == LLVMXor &&
           LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)) != NULL &&
           LLVMGetOperand(instruction, 1) ==
               LLVMConstAllOnes(LLVMTypeOf(LLVMGetOperand(instruction, 1)));
}

bool simd_is_index_arithmetic(LLVMOpcode opcode)
{
    switch ((int)opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMGetElementPtr:
        return true;
    default:
        return false;
    }
}

bool simd_has_vector_form(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return is_binary(opcode) || simd_is_cast(opcode) || opcode == LLVMFNeg || opcode == LLVMICmp ||
           opcode == LLVMFCmp || opcode == LLVMFreeze || opcode == LLVMGetElementPtr ||
           opcode == LLVMSelect;
}
