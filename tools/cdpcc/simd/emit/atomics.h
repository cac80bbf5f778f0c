/* Atomic operations. */
#ifndef CDPCC_SIMD_EMIT_ATOMICS_H
#define CDPCC_SIMD_EMIT_ATOMICS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;

/* A compare-and-swap has both, all else the first. */
struct block_swap {
    LLVMValueRef old, is_equal;
};
/* Shared memory, and an operation that scalars can do. */
bool block_is_plain_atomic(LLVMValueRef instruction);
struct block_swap block_plain_atomic(struct block_emit *emit, LLVMValueRef instruction,
                                     const LLVMValueRef *operands);
void block_atomic(struct block_emit *emit, LLVMValueRef instruction);

#endif
