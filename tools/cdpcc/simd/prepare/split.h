/* Splits values that are no elements of vectors into values that are. */
#ifndef CDPCC_SIMD_PREPARE_SPLIT_H
#define CDPCC_SIMD_PREPARE_SPLIT_H
#include <llvm-c/Types.h>

struct lower_context;

/* Changes the function only where it has such values. What cannot be split stays. */
void simd_split_values(struct lower_context *lower, LLVMValueRef function);

#endif
