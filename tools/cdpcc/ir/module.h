/* Reads and writes LLVM modules. Contexts and modules are created and disposed of only here. */
#ifndef CDPCC_MODULE_H
#define CDPCC_MODULE_H
#include <llvm-c/Types.h>

/* Reads a file of bitcode. The module has a context of its own, and both belong to the caller
 * until module_dispose. NULL after printing an error. */
LLVMModuleRef module_load(const char *path);
/* Disposes of the module and its context; may be NULL. */
void module_dispose(LLVMModuleRef module);

/* 0, or 1 after printing why the module is not valid IR. when is a part of the message: "after
 * lowering". */
int module_verify(LLVMModuleRef module, const char *when);
/* 0, or 1 after printing an error. The text is LLVM's assembly language. */
int module_write_bitcode(LLVMModuleRef module, const char *path);
int module_write_text(LLVMModuleRef module, const char *path);

/* Sets an option of LLVM, such as "-disable-post-ra". It holds for the process, and each lowering
 * has a process of its own. */
void module_set_option(const char *option);

#endif
