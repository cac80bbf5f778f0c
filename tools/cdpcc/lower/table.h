/* Tables for the runtime that several passes create. */
#ifndef CDPCC_LOWER_TABLE_H
#define CDPCC_LOWER_TABLE_H
#include "ir/context.h"

/* A private constant: a table of struct cdp_abi_shared_variable for the shared variables with
 * these numbers (indices of lower_context.shared). A null pointer if count is 0. Offsets must be
 * final. */
LLVMValueRef lower_shared_table(struct lower_context *lower, const unsigned *variables,
                                unsigned count);

#endif
