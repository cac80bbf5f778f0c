/* Measures the code generation of each function, for --time. */
#ifndef CDPCC_CODE_TIMING_H
#define CDPCC_CODE_TIMING_H
#include <llvm-c/Types.h>

/* To be called just before the module's code generation, once in a process. Without --time it does
 * nothing. */
void code_timing_start(LLVMModuleRef module);
/* Takes a remark of the code generator. */
void code_timing_remark(const char *text);

#endif
