/* Regions, and the function that is made of them. */
#ifndef CDPCC_SIMD_EMIT_REGION_H
#define CDPCC_SIMD_EMIT_REGION_H
#include <llvm-c/Types.h>
#include "simd/emit/emit.h"
#include "simd/plan/fault_context.h"

struct simd_graph;

/* Instructions that may become straight code for all chunks of a block whose size is known; more
 * where masks become constants: that leaves a tenth of them, and blocks of 1,024 threads, which are
 * common, took ten to fifty times as long otherwise. */
enum { SIMD_STRAIGHT = 1000, SIMD_STRAIGHT_TREE = 12000 };

/* What lies between barriers. */
struct simd_region {
    unsigned entry;                        /* its first node */
    const struct simd_graph *graph, *fast; /* the same where nothing is left out */
    bool *live, *mixed;                    /* by value number */
    bool *early; /* by value number: a load that is made before the chunks, for all of them */
    LLVMBasicBlockRef block;
    struct simd_publishing publishing;
};

/* A function in the making. */
struct simd_making {
    struct simd_emit emit;
    struct simd_region *regions;
    size_t region_count;
    bool needs_alive; /* threads may have ended before a region that others reach */
    LLVMBasicBlockRef done;
    bool takes_range; /* a loop over blocks is around it */
};

#endif
