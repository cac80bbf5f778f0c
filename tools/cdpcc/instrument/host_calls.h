/* Host calls of the CUDA API whose results the program does not use. */
#ifndef CDPCC_HOST_CALLS_H
#define CDPCC_HOST_CALLS_H

#include <llvm-c/Types.h>

/* For --check=api: after each such call, calls cdp_abi_unread_call with the result, the function's
 * name and its arguments. Reads host bitcode that is not optimized from the file input and writes
 * the file output. Returns 0, or 1 after printing an error. */
int instrument_host_calls(const char *input, const char *output);
/* The same for a module. */
void instrument_host_module(LLVMModuleRef module);

#endif
