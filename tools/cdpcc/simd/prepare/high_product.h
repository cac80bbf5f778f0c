/* The high half of a product of two 64-bit numbers. */
#ifndef CDPCC_SIMD_PREPARE_HIGH_PRODUCT_H
#define CDPCC_SIMD_PREPARE_HIGH_PRODUCT_H
#include <llvm-c/Types.h>

struct lower_context;

/* A call of SIMD_HIGH_PRODUCT (simd/ir/wide_calls.h), or 0 if a factor is. */
LLVMValueRef simd_high_product(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef a,
                               LLVMValueRef b);
LLVMValueRef simd_high_product_signed(struct lower_context *lower, LLVMBuilderRef builder,
                                      LLVMValueRef a, LLVMValueRef b);
/* A factor times 0 or -1, which says whether the other factor is negative. */
LLVMValueRef simd_times_sign(LLVMBuilderRef builder, LLVMValueRef factor, LLVMValueRef sign);
/* Replaces the calls of the module that are left, in scalar code, by products of 128 bits. */
void simd_expand_high_products(struct lower_context *lower);

#endif
