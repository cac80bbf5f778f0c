/* Loops in which each thread stores to consecutive elements of its own. */
#ifndef CDPCC_SIMD_PLAN_ROW_WALKS_H
#define CDPCC_SIMD_PLAN_ROW_WALKS_H
#include <llvm-c/Types.h>

struct simd_kernel;

/* The reason why thread entries are faster in such loops; NULL: they are not. */
const char *simd_row_walk_refusal(const struct simd_kernel *kernel, LLVMValueRef *blamed);

#endif
