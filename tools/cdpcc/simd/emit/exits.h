/* The tests of uniform exits, before the chunk loops, and of early exits, in them. */
#ifndef CDPCC_SIMD_EMIT_EXITS_H
#define CDPCC_SIMD_EMIT_EXITS_H
#include <llvm-c/Types.h>

struct simd_emit;
struct simd_region;

/* i1: the first way of the region's uniform exit.  Stands where the region begins. */
LLVMValueRef simd_compute_uniform_exit(struct simd_emit *emit, const struct simd_region *region);
/* At the branch of an early exit, to which these lanes come. */
void simd_note_early_exit(struct simd_emit *emit, LLVMValueRef condition, const LLVMValueRef *mask);

#endif
