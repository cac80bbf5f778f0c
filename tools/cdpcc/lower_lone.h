/* Masked stores of one known lane: see lower_lone.c. */
#ifndef CDPCC_LOWER_LONE_H
#define CDPCC_LOWER_LONE_H

#include <llvm-c/Types.h>

/* After the optimizer, before code is generated. */
void lower_lone_stores(LLVMModuleRef module);

#endif
