/* What the files that make the function around a kernel's regions have in common. */
#ifndef CDPCC_BLOCK_ENTRY_H
#define CDPCC_BLOCK_ENTRY_H

#include "block/block.h"

/* Instructions that may become straight code for all chunks of a block whose size is known; more
 * where masks become constants. */
enum { BLOCK_STRAIGHT = 1000, BLOCK_STRAIGHT_TREE = 3000 };

/* What lies between barriers. */
struct block_region {
    unsigned entry;                         /* its first node */
    const struct block_graph *graph, *fast; /* the same where nothing is left out */
    bool *live, *mixed;                     /* by value number */
    LLVMBasicBlockRef block;
    struct block_telling telling;
};

/* A function in the making. */
struct block_making {
    struct block_emit emit;
    struct block_region *regions;
    size_t region_count;
    bool needs_alive; /* threads may have ended before a region that others reach */
    LLVMBasicBlockRef done;
    bool takes_range; /* a loop over blocks is around it */
};

/* unroll.c */
/* Of the block and all that are behind it in the function. */
unsigned block_count_instructions(LLVMBasicBlockRef from);
/* The loop that the branch closes shall be unrolled. */
void block_ask_to_unroll(struct block_emit *emit, LLVMValueRef branch);
/* It has a loop like a tree's, and its size is known. */
bool block_has_short_loop(const struct block_kernel *kernel);

/* chunk.c */
/* All chunks of the region. */
void block_chunks(struct block_making *making, const struct block_region *region);

#endif
