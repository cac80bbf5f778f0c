/* Prefetches of memory that later blocks read. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_BLOCKS_H
#define CDPCC_SIMD_PLAN_PREFETCH_BLOCKS_H
#include "simd/plan/access.h"

#include <llvm-c/Types.h>

/* The prefetch of a load that all lanes run; `by` is NULL if there is none. */
struct simd_block_prefetch simd_find_block_prefetch(const struct simd_site *site,
                                                    LLVMValueRef load);

#endif
