/* Gives floating-point operations the results of a GPU. */
#ifndef CDPCC_LOWER_FLOAT_H
#define CDPCC_LOWER_FLOAT_H
#include "ir/context.h"

/* Replaces the instruction by one that is not contracted with any other. The instruction is
 * deleted if it is replaced; the caller must not use it afterwards. */
void lower_forbid_contraction(struct lower_context *lower, LLVMValueRef at);

#endif
