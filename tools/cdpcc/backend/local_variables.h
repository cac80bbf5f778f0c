/* A list of local variables, for reports of what leads to whose memory.
 *
 * The list costs the code nothing: a variable whose address goes somewhere has a place on
 * the stack already, and an assembler directive where it goes writes down which place the
 * code generator gave it.  See struct cdp_abi_local. */
#ifndef CDPCC_LOWER_LOCALS_H
#define CDPCC_LOWER_LOCALS_H

#include <llvm-c/Types.h>

struct lower_context;

/* A pass of the table in driver/device.c: names the stack slots. */
void lower_locals(struct lower_context *lower);

/* Before anything that puts tests into the code: a test splits the block that it is put
 * into, and what follows in a function's first block is then no part of its frame, and no
 * variable that sanitizers know. */
void lower_locals_first(LLVMModuleRef module);

/* After the optimizer and everything else.  The names come from lower_locals, a pass. */
void lower_locals_list(LLVMModuleRef module);

#endif
