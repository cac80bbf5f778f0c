/* Emission of instructions that run lane by lane. */
#ifndef CDPCC_SIMD_EMIT_SCALARIZE_H
#define CDPCC_SIMD_EMIT_SCALARIZE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simd_emit;
struct simd_value;

/* Runs the instruction once for each active lane.
 * Sets the instruction's result as a varying value, if it has one. */
void simd_each_lane(struct simd_emit *emit, LLVMValueRef instruction);
/* An array with the value of each lane.  `used` counts the arrays that are in use. */
LLVMValueRef simd_keep_lanes(struct simd_emit *emit, const struct simd_value *value,
                             LLVMTypeRef type, size_t *used);
/* Reads or writes one lane's element of such an array, or reads a vector of elements. lane: i64, in
 * the chunk. */
LLVMValueRef simd_kept_lane(struct simd_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                            LLVMValueRef lane);
void simd_keep_lane(struct simd_emit *emit, LLVMValueRef array, LLVMValueRef value,
                    LLVMValueRef lane);
LLVMValueRef simd_reload_lanes(struct simd_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                               unsigned vector);
/* A word of at least 64 bits with a bit for each lane of the chunk. */
LLVMTypeRef simd_word_of_lanes(const struct simd_emit *emit);
/* Emits any call, as plan/calls.h decides; despite the file's name not only lane by lane. */
void simd_call(struct simd_emit *emit, LLVMValueRef call);

#endif
