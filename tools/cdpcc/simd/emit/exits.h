/* Tests of uniform exits, before the chunk loops, and of early exits, inside them. */
#ifndef CDPCC_SIMD_EMIT_EXITS_H
#define CDPCC_SIMD_EMIT_EXITS_H
#include <llvm-c/Types.h>

struct simd_emit;

/* i1: the uniform exit of the region takes its first edge.  Emitted where the region begins. */
LLVMValueRef simd_compute_uniform_exit(struct simd_emit *emit);
/* Emitted at the branch of an early exit, for the lanes that reach it. */
void simd_note_early_exit(struct simd_emit *emit, LLVMValueRef condition, const LLVMValueRef *mask);

#endif
