/* The low halves of products of which both halves are used. */
#ifndef CDPCC_SIMD_PREPARE_LOW_PRODUCTS_H
#define CDPCC_SIMD_PREPARE_LOW_PRODUCTS_H
#include <llvm-c/Types.h>

struct lower_context;

/* Computes them as products of their own. */
void simd_split_products(struct lower_context *lower, LLVMValueRef function);

#endif
