/* Between memory.c and crossed.c. */
#ifndef CDPCC_BLOCK_CROSSED_H
#define CDPCC_BLOCK_CROSSED_H

#include "block/block.h"

/* A row whose elements are the lanes' own, in another order: lane i's is that of i ^ by. */
struct block_crossed {
    LLVMValueRef start[BLOCK_MOST_VECTORS]; /* of the row */
    LLVMValueRef by[BLOCK_MOST_VECTORS];    /* i32, less than the lanes */
    LLVMValueRef holds[BLOCK_MOST_VECTORS]; /* i1: it is such a row */
};

/* Of an address that varies; false: it is nothing of the kind. */
bool block_find_crossed(struct block_emit *emit, LLVMValueRef address, LLVMTypeRef type,
                        struct block_crossed *found);
/* The lanes' values, or a mask, each in the other one's place. */
LLVMValueRef block_cross(struct block_emit *emit, LLVMValueRef value, LLVMValueRef by);

/* Two rows: each lane takes its element of the one or of the other. */
struct block_either {
    LLVMValueRef start[2][BLOCK_MOST_VECTORS];
    LLVMValueRef takes_first[BLOCK_MOST_VECTORS]; /* a mask */
    LLVMValueRef holds[BLOCK_MOST_VECTORS];       /* i1: they are rows */
};

bool block_find_either(struct block_emit *emit, LLVMValueRef address, LLVMTypeRef type,
                       struct block_either *found);

#endif
