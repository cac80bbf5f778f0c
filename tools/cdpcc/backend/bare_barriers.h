/* Barriers that keep no registers: see backend/bare_barriers.c. */
#ifndef CDPCC_LOWER_BARE_H
#define CDPCC_LOWER_BARE_H
#include <llvm-c/Types.h>

/* After the optimizer, before code is generated. Changes all calls of the barrier, or none: the
 * calling convention of a function must be the same everywhere. */
void lower_bare(LLVMModuleRef module);

#endif
