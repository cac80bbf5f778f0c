/* Calls of memcpy, memmove and memset return to the kernel.
 *
 * If such a function faults, the report names the line of the call, which it finds by the return
 * address. After a tail call there would be none. */
#include "backend/memory_calls.h"

#include "ir/value.h"
#include "support/str.h"

#include <llvm-c/Core.h>

void lower_memory_calls(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || !str_starts(lower_name(f), "llvm.mem")) {
            continue;
        }
        for (LLVMUseRef use = LLVMGetFirstUse(f); use != NULL; use = LLVMGetNextUse(use)) {
            LLVMSetTailCallKind(LLVMGetUser(use), LLVMTailCallKindNoTail);
        }
    }
}
