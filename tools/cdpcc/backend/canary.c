/* Overruns of arrays on the stack.
 *
 * An upward overrun of an array overwrites what its function saved for its caller, and the return
 * address. LLVM's stack protector puts a word between them, with arrays next below it, and tests it
 * before the function returns. Every kernel that has arrays gets one.
 *
 * In device code an overrun is a fault of the launch, and the C library must not end the process.
 * So here the library's function for this error is renamed to the runtime's. */
#include "backend/canary.h"

#include "ir/value.h"
#include "support/str.h"

#include <string.h>

static const char *const protectors[] = {"sspstrong", "ssp", "sspreq"};

/* Whether the runtime calls the function for a launch.
 *
 * The prefixes are those of thread entries and of the functions that the vectorizer makes. */
static bool is_entry(LLVMValueRef function)
{
    static const char *const prefixes[] = {"cdp.thread.", "cdp.block.", "cdp.one_row.",
                                           "cdp.rows.",   "cdp.any.",   "cdp.fixed1.",
                                           "cdp.fixed2."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (str_starts(lower_name(function), prefixes[i])) {
            return true;
        }
    }
    return false;
}

/* Also within structs. */
static bool has_array(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        return true;
    }
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
        return false;
    }
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        if (has_array(LLVMStructGetTypeAtIndex(type, i))) {
            return true;
        }
    }
    return false;
}

/* Also true for a slot with a variable size. */
bool lower_canary_is_array(LLVMValueRef slot)
{
    LLVMValueRef count = LLVMGetOperand(slot, 0);
    return LLVMIsAConstantInt(count) == NULL || LLVMConstIntGetZExtValue(count) != 1 ||
           has_array(lower_slot_type(slot));
}

static bool has_arrays(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (LLVMIsAAllocaInst(at) != NULL && lower_canary_is_array(at)) {
                return true;
            }
        }
    }
    return false;
}

/* By the options, and by what the function has on its stack. */
static bool is_wanted(LLVMValueRef function, enum lower_canaries which)
{
    switch (which) {
    case LOWER_CANARIES_NONE:
        break;
    case LOWER_CANARIES_OF_KERNELS:
        return is_entry(function) && has_arrays(function);
    case LOWER_CANARIES_STRONG:
        return true; /* LLVM decides which functions need one */
    }
    return false;
}

bool lower_canary_guards(LLVMValueRef function)
{
    for (size_t i = 0; i < sizeof protectors / sizeof *protectors; i++) {
        if (lower_has_attribute(function, protectors[i])) {
            return true;
        }
    }
    return false;
}

/* The symbol is set in the assembly of the object: __stack_chk_fail is the name that LLVM's code
 * generator uses. */
void lower_canary(LLVMModuleRef module, enum lower_canaries which)
{
    static const char report[] = ".set __stack_chk_fail, cdp_abi_stack_overrun\n";
    struct lower_context lower = {.llvm = LLVMGetModuleContext(module), .module = module};
    bool any = false;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (LLVMIsDeclaration(function)) {
            continue;
        }
        if (is_wanted(function, which)) {
            lower_add_attribute(&lower, function, protectors[0]);
        }
        any |= lower_canary_guards(function);
    }
    if (any) {
        LLVMAppendModuleInlineAsm(module, report, strlen(report));
    }
}
