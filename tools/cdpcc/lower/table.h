/* Tables for the runtime that several passes create. */
#ifndef CDPCC_LOWER_TABLE_H
#define CDPCC_LOWER_TABLE_H
#include "ir/context.h"

/* A table of struct cdp_abi_shared_variable for the shared variables with these numbers. */
LLVMValueRef lower_shared_table(struct lower_context *lower, const unsigned *variables,
                                unsigned count);

#endif
