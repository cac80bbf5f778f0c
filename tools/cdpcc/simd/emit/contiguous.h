/* One access of the lanes of a vector. */
#ifndef CDPCC_SIMD_EMIT_CONTIGUOUS_H
#define CDPCC_SIMD_EMIT_CONTIGUOUS_H
#include "simd/ir/kernel.h"

struct block_emit;
struct block_value;

struct block_access {
    LLVMValueRef instruction;
    LLVMTypeRef type;
    unsigned align;
    unsigned step; /* loads in order: from a lane's element to the next lane's */
};

/* All below are under the lanes' mask; what lanes that are off get is nobody's business.  Lane 0's
 * element is at that address, the others' follow. */
LLVMValueRef block_load_row(struct block_emit *emit, const struct block_access *access,
                            LLVMValueRef at, unsigned vector);
void block_store_row(struct block_emit *emit, const struct block_access *access, LLVMValueRef value,
                     LLVMValueRef at, unsigned vector);
/* The others' are each so many elements further on. */
LLVMValueRef block_load_spread(struct block_emit *emit, const struct block_access *access,
                               LLVMValueRef at, unsigned vector, unsigned step);
/* Each at its own address; lanes store in order. */
LLVMValueRef block_gather(struct block_emit *emit, const struct block_access *access,
                          const struct block_value *at, unsigned vector);
void block_scatter(struct block_emit *emit, const struct block_access *access, LLVMValueRef value,
                   const struct block_value *at, unsigned vector);

/* What a plain access is to: base[number], and some bytes on. */
struct block_index {
    LLVMTypeRef type;
    LLVMValueRef base, number;
    int64_t offset;
};
/* False: the address is not of that kind, or the base is each lane's own. */
bool block_index_of(const struct block_emit *emit, LLVMValueRef address, LLVMTypeRef type,
                    struct block_index *index);
LLVMValueRef block_index_address(struct block_emit *emit, const struct block_index *index,
                                 LLVMValueRef number, unsigned vector);

struct block_rows {
    LLVMValueRef holds[BLOCK_MOST_VECTORS];    /* i1: they are */
    LLVMValueRef start[2][BLOCK_MOST_VECTORS]; /* the second one's: plan/two_way.c */
    LLVMValueRef by[BLOCK_MOST_VECTORS]; /* plan/permuted.c: i32, less than the lanes: lane i has
                                          * the element of i ^ by */
    LLVMValueRef takes_first[BLOCK_MOST_VECTORS]; /* plan/two_way.c: a mask */
};

#endif
