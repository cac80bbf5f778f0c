/* The lesser and the greater of two numbers, on x86: see backend/minmax.c. */
#ifndef CDPCC_LOWER_MINMAX_H
#define CDPCC_LOWER_MINMAX_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* Before code is generated: rewrites the instruction if it is a call of "minimumnum" or
 * "maximumnum", and says so. */
bool lower_minmax(LLVMBuilderRef builder, LLVMValueRef instruction);

#endif
