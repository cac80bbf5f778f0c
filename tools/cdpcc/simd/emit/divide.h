/* Division of vectors of integers. */
#ifndef CDPCC_SIMD_EMIT_DIVIDE_H
#define CDPCC_SIMD_EMIT_DIVIDE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_value;

/* The quotient or remainder of its lanes is usually computed without an integer division.  The
 * divisor of an inactive lane may be any value. */
bool simd_divides_by_vectors(LLVMValueRef instruction);
/* simd_divides_by_vectors() must hold for the instruction. */
LLVMValueRef simd_divide(struct simd_emit *emit, LLVMValueRef instruction,
                         const struct simd_value *operands, unsigned vector);

#endif
