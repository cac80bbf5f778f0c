/* Early exits of chunk loops. */
#ifndef CDPCC_SIMD_EMIT_EARLY_EXITS_H
#define CDPCC_SIMD_EMIT_EARLY_EXITS_H
#include <llvm-c/Types.h>

struct simd_emit;

/* Emitted at the branch of an early exit, for the lanes that reach it. */
void simd_note_early_exit(struct simd_emit *emit, LLVMValueRef condition, const LLVMValueRef *mask);

#endif
