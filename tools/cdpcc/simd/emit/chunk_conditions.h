/* Tests whether all lanes of a chunk agree on a condition. */
#ifndef CDPCC_SIMD_EMIT_CHUNK_CONDITIONS_H
#define CDPCC_SIMD_EMIT_CHUNK_CONDITIONS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_emit;

/* i1: in all lanes of the chunk, which are all active, the condition is `wanted`. */
LLVMValueRef simd_all_lanes(struct simd_emit *emit, LLVMValueRef condition, bool wanted);

#endif
