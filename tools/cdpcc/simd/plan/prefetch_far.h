/* Prefetches of contiguous accesses whose rows are far apart in memory, in a loop. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_FAR_H
#define CDPCC_SIMD_PLAN_PREFETCH_FAR_H
#include "simd/analysis/chunk_conditions.h"

#include <llvm-c/Types.h>

struct simd_expression;
struct simd_graph;
struct simd_path;

enum { SIMD_MOST_FAR = 4, SIMD_FAR_ITERATIONS = 8 };

/* A load, and the row of the block's threads that it serves. */
struct simd_far_load {
    LLVMValueRef load;
    const struct simd_expression *distance; /* bytes from an iteration to the next one */
    const struct simd_expression *step;     /* of the loop's counter */
    LLVMValueRef end;                       /* what the counter is compared with; uniform */
};
/* The loads of one loop that are prefetched. */
struct simd_far_prefetch {
    struct simd_far_load loads[SIMD_MOST_FAR];
    unsigned count;
};
/* The prefetches of a loop that all lanes leave together, from that node. */
struct simd_far_prefetch simd_find_far_prefetch(const struct simd_path *path,
                                                const struct simd_graph *graph, int loop,
                                                unsigned last, const struct simd_chunk *chunk);
/* The loop reads so many bytes that its first rows are not in a cache when they are read again. */
enum { SIMD_FAR_CACHE = 1 << 19 };

#endif
