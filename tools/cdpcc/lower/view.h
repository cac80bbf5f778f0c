/* Shows things in a debugger that are no longer variables. */
#ifndef CDPCC_LOWER_VIEW_H
#define CDPCC_LOWER_VIEW_H
#include "ir/context.h"

/* Shows the memory at the address, an instruction near the function's start, as a local variable
 * in the debugger. Does nothing without debug information. type may be NULL: then nothing is
 * shown. */
void lower_view_variable(struct lower_context *lower, LLVMValueRef function, LLVMValueRef address,
                         const char *name, LLVMMetadataRef type);
/* Removes the shared variables from the debugger's list of global variables. */
void lower_view_forget_shared(struct lower_context *lower);

#endif
