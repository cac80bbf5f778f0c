/* Fields of neighbouring structures out of vectors of their elements. */
#ifndef CDPCC_SIMD_EMIT_DEINTERLEAVE_H
#define CDPCC_SIMD_EMIT_DEINTERLEAVE_H

#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_emit;

/* A shuffle of two vectors into one of as many lanes. Indices count the lanes of the first vector
 * and then those of the second; -1: any value. */
LLVMValueRef simd_shuffle_lanes(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second,
                                const int *lanes);
/* The count is a power of two, so halves can be taken repeatedly. */
bool simd_is_power(unsigned count);
/* The field's element of each structure of `count` elements, which the `count` vectors hold one
 * after the other. Overwrites the vectors. */
LLVMValueRef simd_deinterleave(struct simd_emit *emit, LLVMValueRef *vectors, unsigned count,
                               unsigned field);

#endif
