/* Computes the expressions of plan/strides.h. */
#ifndef CDPCC_SIMD_EMIT_STRIDES_H
#define CDPCC_SIMD_EMIT_STRIDES_H
#include <llvm-c/Types.h>

struct simd_emit;
struct simd_expression;

/* i64, emitted at the builder's position. */
LLVMValueRef simd_compute(struct simd_emit *emit, const struct simd_expression *expression);

#endif
