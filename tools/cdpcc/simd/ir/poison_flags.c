/* Flags of instructions that make a result poison if a promise does not hold. */
#include "simd/ir/poison_flags.h"

#include <llvm-c/Core.h>

void simd_drop_poison_flags(LLVMValueRef copy)
{
    switch ((int)LLVMGetInstructionOpcode(copy)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMTrunc:
        LLVMSetNSW(copy, 0);
        LLVMSetNUW(copy, 0);
        break;
    case LLVMGetElementPtr:
        LLVMGEPSetNoWrapFlags(copy, 0);
        break;
    case LLVMZExt:
    case LLVMUIToFP:
        LLVMSetNNeg(copy, 0);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        LLVMSetExact(copy, 0);
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(copy, 0);
        break;
    case LLVMICmp:
        LLVMSetICmpSameSign(copy, 0);
        break;
    default:
        break;
    }
}
