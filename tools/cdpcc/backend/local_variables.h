/* A list of local variables, for reports that name the owner of a pointer.
 *
 * The list adds no code. A variable whose address escapes already has a place on the stack. An
 * assembler directive at the point of escape records the place that the code generator has chosen.
 * See struct cdp_abi_local. */
#ifndef CDPCC_LOWER_LOCALS_H
#define CDPCC_LOWER_LOCALS_H

#include <llvm-c/Types.h>

struct lower_context;

/* A pass of the table in driver/device.c: names the stack slots. */
void lower_locals(struct lower_context *lower);

/* To be called before anything that inserts tests into the code. A test splits its basic block. The
 * instructions after it are then no longer in the function's first block, so their slots are not
 * part of the frame, and sanitizers do not see them as variables. */
void lower_locals_first(LLVMModuleRef module);

/* To be called before AddressSanitizer, which has a list of its own: gives the slots the names of
 * the source. */
void lower_locals_restore(LLVMModuleRef module);

/* To be called after the optimizer and everything else. The names come from lower_locals, a
 * pass. */
void lower_locals_list(LLVMModuleRef module);

#endif
