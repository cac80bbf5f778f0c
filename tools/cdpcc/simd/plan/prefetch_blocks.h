/* Prefetches of what the next blocks read. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_BLOCKS_H
#define CDPCC_SIMD_PLAN_PREFETCH_BLOCKS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_value;

/* After a load of neighbouring elements at that address. */
void block_ask_next(struct block_emit *emit, LLVMValueRef load, const struct block_value *at);

#endif
