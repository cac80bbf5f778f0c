/* The host's side of __managed__: clang gave the host an undefined shadow of the
 * device's variable; here the shadow becomes a reference to the variable itself, so
 * that both sides use one object.  Works on unoptimized bitcode, before anything
 * can be concluded from the shadow's missing value. */
#include "lower.h"

#include "module.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <string.h>

static void refer_to_device(LLVMValueRef row)
{
    LLVMValueRef shadow = LLVMGetOperand(row, 0);
    size_t length;
    const char *text = LLVMGetAsString(LLVMGetInitializer(LLVMGetOperand(row, 1)), &length);
    if (strcmp(text, "cdp.managed") != 0 || LLVMIsDeclaration(shadow)) {
        return;
    }
    LLVMSetInitializer(shadow, NULL);
    LLVMSetLinkage(shadow, LLVMExternalLinkage);
    LLVMSetComdat(shadow, NULL);
}

int lower_host_managed(const char *input, const char *output)
{
    LLVMModuleRef module = module_load(input);
    if (module == NULL) {
        return 1;
    }
    LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global.annotations");
    LLVMValueRef rows = list == NULL ? NULL : LLVMGetInitializer(list);
    int count = rows == NULL ? 0 : LLVMGetNumOperands(rows);
    for (int i = 0; i < count; i++) {
        refer_to_device(LLVMGetOperand(rows, (unsigned)i));
    }
    int failed = module_verify(module, "on the host side") || module_write_bitcode(module, output);
    module_dispose(module);
    return failed;
}
