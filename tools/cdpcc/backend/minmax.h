/* The minimum and the maximum of two numbers, on x86: see backend/minmax.c. */
#ifndef CDPCC_LOWER_MINMAX_H
#define CDPCC_LOWER_MINMAX_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* Rewrites the instruction, before code is generated, if it is a call of "minimumnum" or
 * "maximumnum" for which LLVM's code is slow. Returns whether it was rewritten: then it no longer
 * exists. */
bool lower_minmax(LLVMBuilderRef builder, LLVMValueRef instruction);

#endif
