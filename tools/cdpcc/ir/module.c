/* Reads and writes LLVM modules, and runs LLVM's passes on them.
 *
 * Each module has an LLVM context of its own, so disposing of a module frees all that belongs to
 * it. Errors are printed here in cdpcc's form; callers only test the result. */
#include "ir/module.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>

LLVMModuleRef module_load(const char *path)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        fprintf(stderr, "cdpcc: error: %s: %s\n", path, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    bool failed = LLVMParseBitcodeInContext2(context, buffer, &module) != 0;
    LLVMDisposeMemoryBuffer(buffer);
    if (failed) {
        fprintf(stderr, "cdpcc: error: %s is no bitcode that this LLVM reads\n", path);
        LLVMContextDispose(context);
        return NULL;
    }
    return module;
}

LLVMModuleRef module_read_lazily(LLVMMemoryBufferRef bitcode)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    if (LLVMGetBitcodeModuleInContext2(context, bitcode, &module)) {
        fprintf(stderr, "cdpcc: internal error: cannot read the bitcode of a module\n");
        LLVMContextDispose(context);
        return NULL;
    }
    return module;
}

LLVMModuleRef module_take_needed(LLVMModuleRef lazy)
{
    size_t length;
    const char *name = LLVMGetModuleIdentifier(lazy, &length);
    LLVMModuleRef result = LLVMModuleCreateWithNameInContext(name, LLVMGetModuleContext(lazy));
    const char *source = LLVMGetSourceFileName(lazy, &length);
    LLVMSetSourceFileName(result, source, length);
    LLVMSetTarget(result, LLVMGetTarget(lazy));
    LLVMSetDataLayout(result, LLVMGetDataLayoutStr(lazy));
    if (LLVMLinkModules2(result, lazy)) { /* which disposes of it in any case */
        fprintf(stderr, "cdpcc: internal error: cannot link a part of a module\n");
        LLVMDisposeModule(result);
        return NULL;
    }
    return result;
}

void module_dispose(LLVMModuleRef module)
{
    if (module == NULL) {
        return;
    }
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

int module_verify(LLVMModuleRef module, const char *when)
{
    char *message = NULL;
    int failed = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
    if (failed) {
        fprintf(stderr, "cdpcc: internal error: bad code %s: %s\n", when, message);
    }
    LLVMDisposeMessage(message);
    return failed ? 1 : 0;
}

int module_write_bitcode(LLVMModuleRef module, const char *path)
{
    if (LLVMWriteBitcodeToFile(module, path) == 0) {
        return 0;
    }
    fprintf(stderr, "cdpcc: error: %s: cannot write\n", path);
    return 1;
}

int module_write_text(LLVMModuleRef module, const char *path)
{
    char *message = NULL;
    if (LLVMPrintModuleToFile(module, path, &message) == 0) {
        return 0;
    }
    fprintf(stderr, "cdpcc: error: %s: %s\n", path, message);
    LLVMDisposeMessage(message);
    return 1;
}

bool module_run_passes(LLVMModuleRef module, const char *passes, LLVMTargetMachineRef machine)
{
    LLVMPassBuilderOptionsRef settings = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine, settings);
    bool runs = error == NULL;
    LLVMConsumeError(error);
    LLVMDisposePassBuilderOptions(settings);
    return runs;
}

bool module_run_passes_on(LLVMValueRef function, const char *passes, LLVMTargetMachineRef machine)
{
    LLVMPassBuilderOptionsRef settings = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, passes, machine, settings);
    bool runs = error == NULL;
    LLVMConsumeError(error);
    LLVMDisposePassBuilderOptions(settings);
    return runs;
}

void module_set_option(const char *option)
{
    const char *const words[] = {"cdpcc", option};
    LLVMParseCommandLineOptions(sizeof words / sizeof *words, words, NULL);
}
