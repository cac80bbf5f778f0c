/* One access of the lanes of a vector. */
#ifndef CDPCC_SIMD_EMIT_CONTIGUOUS_H
#define CDPCC_SIMD_EMIT_CONTIGUOUS_H
#include "simd/ir/kernel.h"

struct simd_emit;
struct simd_value;

struct simd_access {
    LLVMValueRef instruction;
    LLVMTypeRef type;
    unsigned align;
    unsigned step; /* loads in order: from a lane's element to the next lane's */
};

/* All below are under the lanes' mask; inactive lanes may get any value.  Lane 0's
 * element is at that address, the others' follow. */
LLVMValueRef simd_load_contiguous(struct simd_emit *emit, const struct simd_access *access,
                                  LLVMValueRef at, unsigned vector);
void simd_store_contiguous(struct simd_emit *emit, const struct simd_access *access,
                           LLVMValueRef value, LLVMValueRef at, unsigned vector);
/* The others' are each so many elements further on. */
LLVMValueRef simd_load_strided(struct simd_emit *emit, const struct simd_access *access,
                               LLVMValueRef at, unsigned vector, unsigned step);
/* Each at its own address; lanes store in order. */
LLVMValueRef simd_gather(struct simd_emit *emit, const struct simd_access *access,
                         const struct simd_value *at, unsigned vector);
void simd_scatter(struct simd_emit *emit, const struct simd_access *access, LLVMValueRef value,
                  const struct simd_value *at, unsigned vector);

/* What a plain access is to: base[number], and some bytes on. */
struct simd_index {
    LLVMTypeRef type;
    LLVMValueRef base, number;
    int64_t offset;
};
/* False: the address is not of that kind, or the base is each lane's own. */
bool simd_index_of(const struct simd_emit *emit, LLVMValueRef address, LLVMTypeRef type,
                   struct simd_index *index);
LLVMValueRef simd_index_address(struct simd_emit *emit, const struct simd_index *index,
                                LLVMValueRef number, unsigned vector);

struct simd_contiguous {
    LLVMValueRef holds[SIMD_MOST_VECTORS];    /* i1: they are */
    LLVMValueRef start[2][SIMD_MOST_VECTORS]; /* the second one's: plan/two_way.c */
    LLVMValueRef by[SIMD_MOST_VECTORS]; /* plan/permuted.c: i32, less than the lanes: lane i has
                                         * the element of i ^ by */
    LLVMValueRef takes_first[SIMD_MOST_VECTORS]; /* plan/two_way.c: a mask */
};

#endif
