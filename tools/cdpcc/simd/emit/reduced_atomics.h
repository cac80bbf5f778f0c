/* Atomic operations of all active lanes at one address. */
#ifndef CDPCC_SIMD_EMIT_REDUCED_ATOMICS_H
#define CDPCC_SIMD_EMIT_REDUCED_ATOMICS_H
#include <llvm-c/Types.h>

struct simd_emit;

/* Emits one operation for the active lanes of the chunk, or of each vector if vectors have
 * addresses of their own.  None is executed if no lane is active. */
void simd_reduced_atomic(struct simd_emit *emit, LLVMValueRef instruction);

#endif
