/* Uniform exits hoisted out of the chunk loop. */
#ifndef CDPCC_SIMD_PLAN_UNIFORM_EXITS_H
#define CDPCC_SIMD_PLAN_UNIFORM_EXITS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_graph;
struct simd_making;
struct simd_region;

enum { SIMD_DONE = -1 };
/* A branch on what is the same for the block, by which all of a region's ways part. */
struct simd_uniform_exit {
    unsigned node;
    int targets[2];                     /* by way: the region that comes next, or SIMD_DONE */
    const struct simd_graph *graphs[2]; /* by way: the region's without the other */
};
bool simd_find_uniform_exit(const struct simd_making *making, const struct simd_region *region,
                            struct simd_uniform_exit *made);
/* i1: the first way, made where the region's values are known but no chunk has begun; NULL: it
 * depends on what chunks compute. */
LLVMValueRef simd_compute_uniform_exit(struct simd_emit *emit, const struct simd_region *region,
                                       const struct simd_uniform_exit *decision);

#endif
