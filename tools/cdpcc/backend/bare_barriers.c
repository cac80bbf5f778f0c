/* __syncthreads() for code that keeps nothing in registers across it.
 *
 * A waiting thread must save the callee-saved registers of its caller on its stack: six registers,
 * whether they are in use or not. The callers of cdp_abi_syncthreads_bare save the values that they
 * need beside their other variables. So a waiting thread writes fewer cache lines, which are the
 * main cost of a switch of many threads.
 *
 * Before and after:
 *
 *     call void @cdp_abi_syncthreads()
 *     call preserve_nonecc void @cdp_abi_syncthreads_bare()
 *
 * Only on x86-64, and not with sanitizers or without optimization. If the address of the barrier
 * is used in another way than by a direct call, nothing changes. */
#include "backend/bare_barriers.h"

#include "support/str.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* llvm::CallingConv::PreserveNone; LLVM's C interface has no name for it. */
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
        /* No tail call: the caller must restore its registers, and its return address must be on
         * the stack. */
        LLVMSetTailCallKind(LLVMGetUser(use), LLVMTailCallKindNoTail);
    }
}
