/* Rows of memory that threads walk along, each thread along one of its own. */
#ifndef CDPCC_SIMD_PLAN_ROW_WALKS_H
#define CDPCC_SIMD_PLAN_ROW_WALKS_H
#include <llvm-c/Types.h>

struct simd_kernel;

/* The reason why thread entries are faster than lanes that walk along rows; NULL: they are not. */
const char *simd_row_walk_refusal(const struct simd_kernel *kernel, LLVMValueRef *blamed);

#endif
