#include "simd/prepare/carry.h"

#include "ir/value.h"
#include "lower/kernel.h"

static bool loads(LLVMValueRef variable, LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_store = LLVMIsAStoreInst(user) != NULL;
        if (!is_store && LLVMIsAInstruction(user) != NULL && lower_function_of(user) == function) {
            return true;
        }
    }
    return false;
}

static void delete_stores(LLVMValueRef variable, LLVMValueRef function)
{
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use != NULL; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsAStoreInst(user) != NULL && lower_function_of(user) == function) {
            LLVMInstructionEraseFromParent(user);
        }
    }
}

void simd_drop_carries(struct lower_context *lower)
{
    LLVMValueRef variable = LLVMGetNamedGlobal(lower->module, LOWER_CARRY);
    if (variable == NULL) {
        return;
    }
    for (size_t i = 0; i < lower->kernel_count; i++) {
        LLVMValueRef function = lower->kernels[i].entry;
        if (function != NULL && !loads(variable, function)) {
            delete_stores(variable, function);
        }
    }
}
