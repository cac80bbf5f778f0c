/* What the files that make the function around a kernel's regions have in common. */
#ifndef CDPCC_BLOCK_ENTRY_H
#define CDPCC_BLOCK_ENTRY_H

#include "simd/simd.h"

/* Instructions that may become straight code for all chunks of a block whose size is known; more
 * where masks become constants: that leaves a tenth of them, and blocks of 1,024 threads, which are
 * common, took ten to fifty times as long otherwise. */
enum { BLOCK_STRAIGHT = 1000, BLOCK_STRAIGHT_TREE = 12000 };

/* What lies between barriers. */
struct block_region {
    unsigned entry;                         /* its first node */
    const struct block_graph *graph, *fast; /* the same where nothing is left out */
    bool *live, *mixed;                     /* by value number */
    bool *early; /* by value number: a load that is made before the chunks, for all of them */
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

/* plan/unroll.c */
/* Of the block and all that are behind it in the function. */
unsigned block_count_instructions(LLVMBasicBlockRef from);
/* The loop that the branch closes shall be unrolled. */
void block_ask_to_unroll(struct block_emit *emit, LLVMValueRef branch);
/* The size is known, and steps for all of its threads may become straight code. */
bool block_is_straight_size(const struct block_kernel *kernel);
/* It has a loop like a tree's, which then may. */
bool block_has_short_loop(const struct block_kernel *kernel);

/* analysis/clobber.c */
/* What the instruction writes may be what the load, at a uniform address, reads. */
bool block_may_clobber(const struct block_kernel *kernel, LLVMValueRef write, LLVMValueRef load);
/* What the threads of a block may come to between two barriers. */
struct block_meetings {
    const struct block_graph *region;
    const bool **behind; /* by node: the nodes that it leads to, and itself; NULL: not asked yet */
};
struct block_meetings *block_meetings_of(const struct block_graph *region);
/* Also from a node to itself. */
bool block_leads_to(struct block_meetings *meetings, unsigned from, unsigned to);
/* Of a load at a uniform address: a thread of the block may store there in the region, so that
 * another one loads something else. */
bool block_is_clobbered(struct block_meetings *meetings, LLVMValueRef load);

/* plan/hoist.c */
/* Of the region's loads at uniform addresses: which are made before its chunks, and which become
 * clobbered ones of the kernel.  True: there were new ones of these, so that shapes change. */
bool block_find_early(const struct block_emit *emit, const struct block_region *region);
/* Before the region's chunks. */
void block_load_early(struct block_emit *emit, const struct block_region *region);

/* plan/uniform_exits.c */
enum { BLOCK_DONE = -1 };
/* A branch on what is the same for the block, by which all of a region's ways part. */
struct block_decision {
    unsigned node;
    int targets[2];                      /* by way: the region that comes next, or BLOCK_DONE */
    const struct block_graph *graphs[2]; /* by way: the region's without the other */
};
bool block_decide(const struct block_making *making, const struct block_region *region,
                  struct block_decision *made);
/* i1: the first way, made where the region's values are known but no chunk has begun; NULL: it
 * hangs on what chunks compute. */
LLVMValueRef block_compute_decision(struct block_emit *emit, const struct block_region *region,
                                    const struct block_decision *decision);

/* plan/early_exits.c */
/* The node of the region whose branch tells that later chunks have nothing to do; -1: none. */
int block_find_narrow(const struct block_making *making, const struct block_region *region);

/* emit/chunks.c */
/* All chunks of the region. */
void block_chunks(struct block_making *making, const struct block_region *region);
/* Before them: what the region's values are that all chunks share. */
void block_begin_chunks(struct block_making *making, const struct block_region *region);

#endif
