/* Emission of instructions that run lane by lane. */
#ifndef CDPCC_SIMD_EMIT_SCALARIZE_H
#define CDPCC_SIMD_EMIT_SCALARIZE_H
#include <llvm-c/Types.h>

struct simd_emit;

/* Runs the instruction once for each active lane.
 * Sets the instruction's result as a varying value, if it has one. */
void simd_each_lane(struct simd_emit *emit, LLVMValueRef instruction);
/* Emits any call, as plan/calls.h decides; despite the file's name not only lane by lane. */
void simd_call(struct simd_emit *emit, LLVMValueRef call);

#endif
