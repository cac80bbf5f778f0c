/* Functions without effects, which prepare/ calls where vectors have no instruction. */
#ifndef CDPCC_SIMD_IR_WIDE_CALLS_H
#define CDPCC_SIMD_IR_WIDE_CALLS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* The high half of a product of 64-bit numbers, and the start of the names of functions that
 * compute with wider ones. */
#define SIMD_HIGH_PRODUCT "cdp.high.product"
#define SIMD_WIDE_ARITHMETIC "cdp.wide"

/* A call of one of those, or of LLVM's intrinsics. */
bool simd_is_arithmetic_call(LLVMValueRef call);
bool simd_is_high_product(LLVMValueRef call);

#endif
