/* Calls of memory functions keep their return addresses: see backend/memory_calls.c. */
#ifndef CDPCC_LOWER_MEMORY_CALLS_H
#define CDPCC_LOWER_MEMORY_CALLS_H
#include <llvm-c/Types.h>

/* After the optimizer, before code is generated. */
void lower_memory_calls(LLVMModuleRef module);

#endif
