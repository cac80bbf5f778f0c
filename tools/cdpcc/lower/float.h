/* What floating-point operations mean on a GPU. */
#ifndef CDPCC_LOWER_FLOAT_H
#define CDPCC_LOWER_FLOAT_H
#include "ir/context.h"

/* Makes the instruction one that is not contracted with any other. */
void lower_forbid_contraction(struct lower_context *lower, LLVMValueRef at);

#endif
