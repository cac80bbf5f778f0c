/* Reads and writes LLVM modules, and runs LLVM's passes on them. Contexts and modules are created
 * and disposed of only here. */
#ifndef CDPCC_MODULE_H
#define CDPCC_MODULE_H
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>
#include <stdbool.h>

/* Reads a file of bitcode. The module has a context of its own, and both belong to the caller
 * until module_dispose. NULL after printing an error. */
LLVMModuleRef module_load(const char *path);
/* A module whose functions' code is read only when it is linked into another module. Takes the
 * buffer. The module has a context of its own. NULL after printing an error. */
LLVMModuleRef module_read_lazily(LLVMMemoryBufferRef bitcode);
/* A module in the same context with the definitions of `lazy` that other units may use, and with
 * those that these need. What is available externally, linked once or internal is taken only if it
 * is needed. Disposes of `lazy`. NULL after printing an error. */
LLVMModuleRef module_take_needed(LLVMModuleRef lazy);
/* Disposes of the module and its context; may be NULL. */
void module_dispose(LLVMModuleRef module);

/* 0, or 1 after printing why the module is not valid IR. when is a part of the message: "after
 * lowering". */
int module_verify(LLVMModuleRef module, const char *when);
/* 0, or 1 after printing an error. The text is LLVM's assembly language. */
int module_write_bitcode(LLVMModuleRef module, const char *path);
int module_write_text(LLVMModuleRef module, const char *path);

/* Runs LLVM's passes on the module, or on one function of it. passes is a pipeline in the form of
 * opt's option of that name, and machine may be NULL. False if LLVM cannot run them; then the code
 * is still valid. */
bool module_run_passes(LLVMModuleRef module, const char *passes, LLVMTargetMachineRef machine);
bool module_run_passes_on(LLVMValueRef function, const char *passes, LLVMTargetMachineRef machine);

/* Sets an option of LLVM, such as "-disable-post-ra". It holds for the process, and each lowering
 * has a process of its own. */
void module_set_option(const char *option);

#endif
