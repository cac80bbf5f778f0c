/* Loads that all chunks share. */
#ifndef CDPCC_SIMD_PLAN_HOIST_H
#define CDPCC_SIMD_PLAN_HOIST_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_region;

/* Of the region's loads at uniform addresses: which are made before its chunks, and which become
 * clobbered ones of the kernel.  True: there were new ones of these, so that shapes change. */
bool block_find_early(const struct block_emit *emit, const struct block_region *region);
/* Before the region's chunks. */
void block_load_early(struct block_emit *emit, const struct block_region *region);

#endif
