/* Addresses of the lanes of several vectors, for calls that describe accesses. */
#ifndef CDPCC_SIMD_EMIT_LANE_ADDRESSES_H
#define CDPCC_SIMD_EMIT_LANE_ADDRESSES_H
#include <llvm-c/Types.h>

struct simd_emit;
struct simd_value;

/* Some vectors of a chunk that have one call. */
struct simd_vectors {
    unsigned first, count;
};

/* i1: the addresses of each vector follow those of the one before it. The address is scalar.
 * Addresses that are the same in all lanes of a vector must be the same in all vectors: rows of a
 * block have one each. */
LLVMValueRef simd_are_consecutive(struct simd_emit *emit, const struct simd_value *address,
                                  struct simd_vectors vectors);
/* i1: the tests hold for which the addresses of each vector are affine; NULL: there are none. */
LLVMValueRef simd_are_affine(struct simd_emit *emit, const struct simd_value *address,
                             struct simd_vectors vectors);

#endif
