/* Prefetches of what the next blocks read. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_BLOCKS_H
#define CDPCC_SIMD_PLAN_PREFETCH_BLOCKS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_value;

/* After a load of neighbouring elements at that address. */
void simd_prefetch_next_block(struct simd_emit *emit, LLVMValueRef load,
                              const struct simd_value *at);

#endif
