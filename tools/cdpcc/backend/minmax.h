/* The minimum and the maximum of two numbers, on x86: see backend/minmax.c. */
#ifndef CDPCC_LOWER_MINMAX_H
#define CDPCC_LOWER_MINMAX_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* Rewrites the instruction, before code is generated, if it is a call of "minimumnum" or
 * "maximumnum". Returns whether it is. */
bool lower_minmax(LLVMBuilderRef builder, LLVMValueRef instruction);

#endif
