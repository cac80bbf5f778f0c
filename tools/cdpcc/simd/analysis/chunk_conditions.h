/* Whether all lanes of a chunk go one way. */
#ifndef CDPCC_SIMD_ANALYSIS_CHUNK_CONDITIONS_H
#define CDPCC_SIMD_ANALYSIS_CHUNK_CONDITIONS_H
#include <llvm-c/Types.h>
#include "simd/analysis/shape.h"

struct simd_emit;
struct simd_kernel;

/* i1: all lanes of the chunk, which are active, have the condition as wanted. */
LLVMValueRef simd_all_lanes(struct simd_emit *emit, LLVMValueRef condition, bool wanted);
/* What a loop's phi starts with, if the same number for all lanes is added to it in each iteration;
 * else NULL. */
LLVMValueRef simd_start_of_stride(const struct simd_kernel *kernel, LLVMValueRef phi);
/* The loop's phi grows by the same for the whole chunk, from lanes that follow each other, and an
 * agreement on the condition about the next iteration says that they still do: signed or unsigned.
 */
enum simd_test simd_stays_affine(const struct simd_emit *emit, LLVMValueRef condition,
                                 LLVMValueRef phi);

#endif
