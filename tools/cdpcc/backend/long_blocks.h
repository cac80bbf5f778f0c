/* Basic blocks have a limited length: see backend/long_blocks.c. */
#ifndef CDPCC_LONG_BLOCKS_H
#define CDPCC_LONG_BLOCKS_H
#include <llvm-c/Types.h>

/* After all other passes, before code is generated. */
void lower_long_blocks(LLVMModuleRef module);

#endif
