/* Emission of a versioned loop's test. */
#ifndef CDPCC_SIMD_EMIT_VERSIONING_H
#define CDPCC_SIMD_EMIT_VERSIONING_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_emit;
struct simd_value;

/* i1: the tested values are affine, and those with stride 0 are the same for the whole chunk.  All
 * lanes are active. */
LLVMValueRef simd_test_all(struct simd_emit *emit, const bool *tested);
/* Assumes that the tested values are affine from here on; returns all values as they were. */
struct simd_value *simd_assume_affine(struct simd_emit *emit, const bool *tested);

#endif
