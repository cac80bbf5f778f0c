/* Conversions of floating point to integers. */
#ifndef CDPCC_SIMD_EMIT_CONVERT_H
#define CDPCC_SIMD_EMIT_CONVERT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;

void simd_saturate(struct simd_emit *emit, LLVMValueRef call);

#endif
