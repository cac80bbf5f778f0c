/* Host calls of the CUDA API whose results the program does not use. */
#ifndef CDPCC_HOST_CALLS_H
#define CDPCC_HOST_CALLS_H

#include "support/check.h"

#include <llvm-c/Types.h>

/* With --check=api: after each such call, calls cdp_abi_unread_call with the result, the function's
 * name and its arguments. With memory or race: before each copy or fill of memory, calls
 * cdp_abi_host_access. Reads host bitcode that is not optimized from the file input and writes the
 * file output. Returns 0, or 1 after printing an error. */
int instrument_host_calls(const struct checks *checks, const char *input, const char *output);
/* The same for a module. */
void instrument_host_module(LLVMModuleRef module, const struct checks *checks);

#endif
