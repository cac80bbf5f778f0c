/* Sums and differences whose carry is tested: see backend/carries.c. */
#ifndef CDPCC_CARRIES_H
#define CDPCC_CARRIES_H
#include <llvm-c/Types.h>

/* After the optimizer, before code is generated. */
void lower_carries(LLVMModuleRef module);

#endif
