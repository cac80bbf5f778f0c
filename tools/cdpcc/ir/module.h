/* Reads and writes LLVM modules. Contexts and modules are created and disposed of only here. */
#ifndef CDPCC_MODULE_H
#define CDPCC_MODULE_H
#include <llvm-c/Types.h>

/* A module in a context of its own, or NULL after printing an error. */
LLVMModuleRef module_load(const char *path);
/* Disposes of the module and its context; may be NULL. */
void module_dispose(LLVMModuleRef module);

/* 0, or 1 after printing why. */
int module_verify(LLVMModuleRef module, const char *when);
int module_write_bitcode(LLVMModuleRef module, const char *path);
int module_write_text(LLVMModuleRef module, const char *path);

#endif
