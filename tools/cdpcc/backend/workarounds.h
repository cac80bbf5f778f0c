/* Errors of LLVM's back ends: see backend/workarounds.c. */
#ifndef CDPCC_LOWER_BACKEND_H
#define CDPCC_LOWER_BACKEND_H
#include <llvm-c/Types.h>

/* After the optimizer, before code is generated. */
void lower_backend(LLVMModuleRef module);

#endif
