/* Warp operations for all lanes of a chunk. */
#ifndef CDPCC_SIMD_EMIT_WARP_OPS_H
#define CDPCC_SIMD_EMIT_WARP_OPS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;

void block_exchange(struct block_emit *emit, LLVMValueRef call);

#endif
