/* Quotients of integers. */
#ifndef CDPCC_SIMD_EMIT_DIVIDE_H
#define CDPCC_SIMD_EMIT_DIVIDE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_value;

/* Its lanes' quotient or remainder is found without a division of integers, as a rule.  Those that
 * are off divide by anything. */
bool simd_divides_by_vectors(LLVMValueRef instruction);
LLVMValueRef simd_divide(struct simd_emit *emit, LLVMValueRef instruction,
                         const struct simd_value *operands, unsigned vector);

#endif
