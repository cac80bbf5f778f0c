/* Emission of permuted contiguous accesses. */
#ifndef CDPCC_SIMD_EMIT_PERMUTED_H
#define CDPCC_SIMD_EMIT_PERMUTED_H
#include "simd/ir/vectors.h"

#include <llvm-c/Types.h>

struct simd_element;
struct simd_emit;
struct simd_permutation;

/* Where the group of each vector starts, and how its lanes are permuted.  Arrays are indexed by
 * vector. */
struct simd_permuted {
    LLVMValueRef holds[SIMD_MOST_VECTORS]; /* i1: the access is permuted contiguous */
    LLVMValueRef start[SIMD_MOST_VECTORS]; /* the address of the group's first element */
    LLVMValueRef by[SIMD_MOST_VECTORS];    /* i32, less than the lanes: lane i has element i ^ by */
};

/* Emits the addresses and conditions for all vectors, at the builder's position. */
void simd_locate_permuted(struct simd_emit *emit, const struct simd_permutation *plan,
                          struct simd_permuted *result);
/* Emitted where `holds` is true. */
LLVMValueRef simd_load_permuted(struct simd_emit *emit, const struct simd_element *element,
                                const struct simd_permuted *at, unsigned vector);
void simd_store_permuted(struct simd_emit *emit, const struct simd_element *element,
                         const struct simd_permuted *at, LLVMValueRef value, unsigned vector);

#endif
