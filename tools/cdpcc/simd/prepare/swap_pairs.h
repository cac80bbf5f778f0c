/* Phis of the pairs that cmpxchg gives. Vectors cannot hold pairs. */
#ifndef CDPCC_SIMD_PREPARE_SWAP_PAIRS_H
#define CDPCC_SIMD_PREPARE_SWAP_PAIRS_H
#include <llvm-c/Types.h>

struct lower_context;

/* Replaces them by phis of the pairs' elements. */
void simd_split_swap_pairs(struct lower_context *lower, LLVMValueRef function);

#endif
