/* Emission of selects of two contiguous accesses. */
#ifndef CDPCC_SIMD_EMIT_TWO_WAY_H
#define CDPCC_SIMD_EMIT_TWO_WAY_H
#include "simd/ir/vectors.h"

#include <llvm-c/Types.h>

struct simd_element;
struct simd_emit;
struct simd_two_way;

/* Where the two contiguous accesses of each vector start.  Arrays are indexed by vector. */
struct simd_two_starts {
    LLVMValueRef holds[SIMD_MOST_VECTORS];       /* i1: both are contiguous */
    LLVMValueRef start[2][SIMD_MOST_VECTORS];    /* the addresses of their first elements */
    LLVMValueRef takes_first[SIMD_MOST_VECTORS]; /* a mask */
};

/* Emits the addresses and conditions for all vectors, at the builder's position. */
void simd_locate_two_way(struct simd_emit *emit, const struct simd_two_way *plan,
                         struct simd_two_starts *result);
/* Emitted where `holds` is true. */
LLVMValueRef simd_load_two_way(struct simd_emit *emit, const struct simd_element *element,
                               const struct simd_two_starts *at, unsigned vector);

#endif
