/* Emission of warp operations for all lanes of a chunk. */
#ifndef CDPCC_SIMD_EMIT_WARP_OPS_H
#define CDPCC_SIMD_EMIT_WARP_OPS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;

/* The call must be a warp operation, and the chunk whole warps. */
void simd_warp_operation(struct simd_emit *emit, LLVMValueRef call);

#endif
