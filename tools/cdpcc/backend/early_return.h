/* Threads beyond the number of elements: see backend/early_return.c. */
#ifndef CDPCC_BACKEND_EARLY_RETURN_H
#define CDPCC_BACKEND_EARLY_RETURN_H
#include <llvm-c/Types.h>

/* Called after the optimizer. */
void lower_early_return(LLVMModuleRef module);

#endif
