/* Loads that all chunks share. */
#ifndef CDPCC_SIMD_PLAN_HOIST_H
#define CDPCC_SIMD_PLAN_HOIST_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_region;

/* Of the region's loads at uniform addresses: which are made before its chunks, and which become
 * clobbered ones of the kernel.  True: there were new ones of these, so that shapes change. */
bool simd_find_hoisted(const struct simd_emit *emit, const struct simd_region *region);
/* Before the region's chunks. */
void simd_load_hoisted(struct simd_emit *emit, const struct simd_region *region);

#endif
