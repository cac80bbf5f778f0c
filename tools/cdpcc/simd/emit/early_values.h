/* Emission of values that are needed before the chunks of a region. */
#ifndef CDPCC_SIMD_EMIT_EARLY_VALUES_H
#define CDPCC_SIMD_EMIT_EARLY_VALUES_H
#include <llvm-c/Types.h>

struct simd_early_value;
struct simd_emit;

/* The scalar that all threads of the block share. */
LLVMValueRef simd_compute_early(struct simd_emit *emit, const struct simd_early_value *early);

#endif
