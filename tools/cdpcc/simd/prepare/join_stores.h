/* One store in place of one on each side of a branch. */
#ifndef CDPCC_SIMD_PREPARE_JOIN_STORES_H
#define CDPCC_SIMD_PREPARE_JOIN_STORES_H
#include <llvm-c/Types.h>

struct lower_context;

/* Joins plain stores to one address at the ends of the sides of the function's branches. */
void simd_join_stores(struct lower_context *lower, LLVMValueRef function);

#endif
