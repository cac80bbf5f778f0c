/* The host's side of __managed__. Clang gives the host an undefined shadow of the device's
 * variable. Here the shadow is replaced by a reference to the variable itself, so both sides use
 * one object. Works on unoptimized bitcode, before the optimizer can use the shadow's undefined
 * value.
 *
 * Before and after, in the host's module:
 *
 *     @m = ... global i32 undef              @m = external global i32
 *
 * The device module defines @m without a suffix (lower/symbol.c), and the linker joins both. So
 * host code that reads m reads the device's object, without any copy. */
#include "lower/managed.h"

#include "ir/module.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <string.h>

/* Operands of an entry of llvm.global.annotations, and of struct __tgt_offload_entry. */
enum { ANNOTATION_VALUE = 0, ANNOTATION_TEXT = 1, ENTRY_ADDRESS = 4, ENTRY_NAME = 5 };

/* The device name of a static variable contains a hash. The host's table entry for the shadow has
 * it. */
static const char *device_name(LLVMModuleRef module, LLVMValueRef shadow)
{
    size_t length;
    for (LLVMValueRef entry = LLVMGetFirstGlobal(module); entry != NULL;
         entry = LLVMGetNextGlobal(entry)) {
        bool is_entry = strncmp(LLVMGetValueName2(entry, &length), ".offloading.entry.", 18) == 0;
        LLVMValueRef row = is_entry ? LLVMGetInitializer(entry) : NULL;
        if (row != NULL && LLVMGetOperand(row, ENTRY_ADDRESS) == shadow) {
            LLVMValueRef name = LLVMGetInitializer(LLVMGetOperand(row, ENTRY_NAME));
            return LLVMGetAsString(name, &length);
        }
    }
    return LLVMGetValueName2(shadow, &length);
}

static void refer_to_device(LLVMModuleRef module, LLVMValueRef row)
{
    LLVMValueRef shadow = LLVMGetOperand(row, ANNOTATION_VALUE);
    LLVMValueRef string = LLVMGetOperand(row, ANNOTATION_TEXT);
    size_t length;
    const char *text = LLVMGetAsString(LLVMGetInitializer(string), &length);
    if (strcmp(text, "cdp.managed") != 0 || LLVMIsDeclaration(shadow)) {
        return;
    }
    const char *name = device_name(module, shadow);
    LLVMSetInitializer(shadow, NULL);
    LLVMSetLinkage(shadow, LLVMExternalLinkage);
    LLVMSetComdat(shadow, NULL);
    LLVMSetValueName2(shadow, name, strlen(name));
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
        refer_to_device(module, LLVMGetOperand(rows, (unsigned)i));
    }
    int failed = module_verify(module, "on the host side") || module_write_bitcode(module, output);
    module_dispose(module);
    return failed;
}
