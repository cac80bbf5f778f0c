/* What a debugger shows of things that are not variables any more. */
#ifndef CDPCC_LOWER_VIEW_H
#define CDPCC_LOWER_VIEW_H
#include "ir/context.h"

/* Shows the debugger what lies at the address, an instruction near the
 * function's start, as one of its local variables. */
void lower_view_variable(struct lower_context *lower, LLVMValueRef function, LLVMValueRef address,
                         const char *name, LLVMMetadataRef type);
/* Takes the shared variables off the debugger's list of global ones. */
void lower_view_forget_shared(struct lower_context *lower);

#endif
