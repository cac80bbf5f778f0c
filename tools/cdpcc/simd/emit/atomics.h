/* Atomic operations. */
#ifndef CDPCC_SIMD_EMIT_ATOMICS_H
#define CDPCC_SIMD_EMIT_ATOMICS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;

/* The operands: a compare-and-swap has both, other operations the first. */
struct simd_swap {
    LLVMValueRef old, is_equal;
};
/* Emits one lane's operation as a load, an operation and a store. */
struct simd_swap simd_plain_atomic(struct simd_emit *emit, LLVMValueRef instruction,
                                   const LLVMValueRef *operands);
/* Chooses the form: straight code, a loop over vectors, or lane by lane. */
void simd_atomic(struct simd_emit *emit, LLVMValueRef instruction);

#endif
