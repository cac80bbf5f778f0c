/* Integers of more than 64 bits, and accesses of odd sizes. */
#ifndef CDPCC_SIMD_PREPARE_WIDE_H
#define CDPCC_SIMD_PREPARE_WIDE_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct lower_context;

/* Splits all of the function's wide integers into pieces of 64 bits, or none if an instruction
 * prevents it. True if the function has changed. */
bool simd_split_wide(struct lower_context *lower, LLVMValueRef function);

#endif
