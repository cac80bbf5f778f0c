/* Chunks behind which nothing is left to do. */
#ifndef CDPCC_SIMD_PLAN_EARLY_EXITS_H
#define CDPCC_SIMD_PLAN_EARLY_EXITS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_making;
struct block_region;

/* At the branch on it, to which these lanes come. */
void block_note_narrow(struct block_emit *emit, LLVMValueRef condition, const LLVMValueRef *mask);

/* The node of the region whose branch tells that later chunks have nothing to do; -1: none. */
int block_find_narrow(const struct block_making *making, const struct block_region *region);

#endif
