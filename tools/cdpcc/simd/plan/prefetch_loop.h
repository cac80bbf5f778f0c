/* Prefetches of memory that later iterations of a grid-stride loop read. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_LOOP_H
#define CDPCC_SIMD_PLAN_PREFETCH_LOOP_H
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/grid_stride.h"

#include <llvm-c/Types.h>
#include <stdint.h>

struct simd_graph;

/* A contiguous load that runs in every iteration. */
struct simd_streamed {
    LLVMValueRef load;
    int64_t size;   /* bytes of each lane */
    int64_t factor; /* bytes by which the address grows for each 1 of the index */
};

/* The loads of one grid-stride loop that are prefetched. */
struct simd_loop_prefetch {
    struct simd_grid_stride stride;
    int64_t ahead; /* iterations ahead; 0: no prefetches */
    struct simd_streamed *loads;
    size_t count;
};
/* `last` is the node whose condition decides whether there is another iteration. */
struct simd_loop_prefetch simd_find_loop_prefetch(const struct simd_graph *graph, int loop,
                                                  unsigned last, const struct simd_chunk *chunk);

#endif
