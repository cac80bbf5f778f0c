/* Calls of the program's functions with small structures and wide integers. */
#ifndef CDPCC_SIMD_PREPARE_SPLIT_CALLS_H
#define CDPCC_SIMD_PREPARE_SPLIT_CALLS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct lower_context;

/* The calls pass scalars of at most 64 bits then. True if any has changed. */
bool simd_split_calls(struct lower_context *lower, LLVMValueRef function);

#endif
