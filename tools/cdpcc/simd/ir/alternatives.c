/* Conditions that are made of two. */
#include "simd/ir/alternatives.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* LLVM also writes c ? true : d, and c ? d : false. */
struct simd_alternatives simd_alternatives_of(LLVMValueRef condition)
{
    LLVMOpcode opcode = LLVMIsAInstruction(condition) != NULL ? LLVMGetInstructionOpcode(condition)
                                                              : LLVMUnreachable;
    if (opcode == LLVMOr || opcode == LLVMAnd) {
        return (struct simd_alternatives){LLVMGetOperand(condition, 0),
                                          LLVMGetOperand(condition, 1), opcode == LLVMOr};
    }
    if (opcode == LLVMSelect) {
        LLVMValueRef c = LLVMGetOperand(condition, 0), yes = LLVMGetOperand(condition, 1),
                     no = LLVMGetOperand(condition, 2);
        if (LLVMIsAConstantInt(yes) != NULL && !LLVMIsNull(yes)) {
            return (struct simd_alternatives){c, no, 1};
        }
        if (LLVMIsAConstantInt(no) != NULL && LLVMIsNull(no)) {
            return (struct simd_alternatives){c, yes, 0};
        }
    }
    return (struct simd_alternatives){.strong = -1};
}
