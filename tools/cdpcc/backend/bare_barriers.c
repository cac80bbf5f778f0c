/* __syncthreads() for code that keeps nothing in registers across it.
 *
 * A thread that waits must leave what the caller of a C function may keep in registers on its
 * stack: six of them, whether they hold anything or not.  The callers of
 * cdp_abi_syncthreads_bare save what they need beside their other variables, and the thread
 * leaves fewer cache lines, which is what a switch of many threads costs. */
#include "backend/bare_barriers.h"

#include "support/str.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* llvm::CallingConv::PreserveNone, which LLVM's C interface has no name for. */
enum { PRESERVE_NONE = 21 };

static bool is_only_called(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) == NULL || LLVMGetCalledValue(user) != function) {
            return false;
        }
    }
    return true;
}

void lower_bare(LLVMModuleRef module)
{
    static const char bare[] = "cdp_abi_syncthreads_bare";
    LLVMValueRef function = LLVMGetNamedFunction(module, "cdp_abi_syncthreads");
    if (function == NULL || !str_starts(LLVMGetTarget(module), "x86_64") ||
        !is_only_called(function)) {
        return;
    }
    LLVMSetValueName2(function, bare, sizeof bare - 1);
    LLVMSetFunctionCallConv(function, PRESERVE_NONE);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMSetInstructionCallConv(LLVMGetUser(use), PRESERVE_NONE);
        /* Its caller must restore what it lost, and be what is called from. */
        LLVMSetTailCallKind(LLVMGetUser(use), LLVMTailCallKindNoTail);
    }
}
