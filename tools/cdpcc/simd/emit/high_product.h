/* The high half of a product of two 64-bit numbers, for vectors. */
#ifndef CDPCC_SIMD_EMIT_HIGH_PRODUCT_H
#define CDPCC_SIMD_EMIT_HIGH_PRODUCT_H
#include <llvm-c/Types.h>

struct simd_emit;

void simd_emit_high_product(struct simd_emit *emit, LLVMValueRef call);

#endif
