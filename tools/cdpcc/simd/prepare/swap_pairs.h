/* Phis of the pairs that compare-and-swaps give, which are no elements of vectors. */
#ifndef CDPCC_SIMD_PREPARE_SWAP_PAIRS_H
#define CDPCC_SIMD_PREPARE_SWAP_PAIRS_H
#include <llvm-c/Types.h>

struct lower_context;

/* Joins the parts of such pairs instead. */
void simd_split_swap_pairs(struct lower_context *lower, LLVMValueRef function);

#endif
