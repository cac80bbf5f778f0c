/* Uniform exits hoisted out of the chunk loop. */
#ifndef CDPCC_SIMD_PLAN_UNIFORM_EXITS_H
#define CDPCC_SIMD_PLAN_UNIFORM_EXITS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_graph;
struct block_making;
struct block_region;

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
 * depends on what chunks compute. */
LLVMValueRef block_compute_decision(struct block_emit *emit, const struct block_region *region,
                                    const struct block_decision *decision);

#endif
