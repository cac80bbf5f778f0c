/* Prefetches of contiguous accesses that are far apart in a loop. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_FAR_H
#define CDPCC_SIMD_PLAN_PREFETCH_FAR_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;

/* Where all lanes come to the node at which they leave the loop at once. */
void simd_prefetch_along(struct simd_emit *emit, int loop, unsigned last);

#endif
