/* Atomic operations. */
#ifndef CDPCC_SIMD_EMIT_ATOMICS_H
#define CDPCC_SIMD_EMIT_ATOMICS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

#include "simd/plan/atomics.h"

struct simd_emit;

/* The operands: a compare-and-swap has both, other operations the first. */
struct simd_swap {
    LLVMValueRef old, is_equal;
};
/* Emits one lane's operation as a load, an operation and a store. */
struct simd_swap simd_plain_atomic(struct simd_emit *emit, LLVMValueRef instruction,
                                   const LLVMValueRef *operands);
/* The plan of an atomic operation, under the current mask; ATOMIC_NONE for other instructions. */
enum simd_atomic_kind simd_atomic_kind_at(const struct simd_emit *emit, LLVMValueRef instruction);
/* Emits any atomic operation, as plan/atomics.h decides. */
void simd_atomic(struct simd_emit *emit, LLVMValueRef instruction);

#endif
