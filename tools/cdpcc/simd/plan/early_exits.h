/* Chunks behind which nothing is left to do. */
#ifndef CDPCC_SIMD_PLAN_EARLY_EXITS_H
#define CDPCC_SIMD_PLAN_EARLY_EXITS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_making;
struct simd_region;

/* At the branch on it, to which these lanes come. */
void simd_note_early_exit(struct simd_emit *emit, LLVMValueRef condition, const LLVMValueRef *mask);

/* The node of the region whose branch tells that later chunks have nothing to do; -1: none. */
int simd_find_early_exit(const struct simd_making *making, const struct simd_region *region);

#endif
