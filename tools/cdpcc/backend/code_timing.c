/* LLVM generates the code of one function after the other, in the module's order, and its assembly
 * printer ends each with a remark about the number of instructions. The time between two of these
 * remarks is that of a function. LLVM's C interface has no other hook for this. */
#include "backend/code_timing.h"

#include "ir/module.h"
#include "ir/value.h"
#include "support/timing.h"

#include <llvm-c/Core.h>
#include <string.h>

static LLVMValueRef next; /* the function whose remark is expected */
static int64_t begun;

/* The first function from here on that has code of its own. */
static LLVMValueRef skip_declarations(LLVMValueRef function)
{
    while (function != NULL && (LLVMIsDeclaration(function) ||
                                LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage)) {
        function = LLVMGetNextFunction(function);
    }
    return function;
}

void code_timing_start(LLVMModuleRef module)
{
    if (timing_is_on()) {
        module_set_option("-pass-remarks-analysis=^asm-printer$");
        next = skip_declarations(LLVMGetFirstFunction(module));
        begun = timing_now();
    }
}

void code_timing_remark(const char *text)
{
    if (next == NULL || strstr(text, "instructions in function") == NULL) {
        return;
    }
    int64_t now = timing_now();
    timing_add(TIMING_VERSION, "code", lower_name(next), now - begun);
    begun = now;
    next = skip_declarations(LLVMGetNextFunction(next));
}
