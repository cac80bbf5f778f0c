/* Prefetches of what the next blocks read. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_BLOCKS_H
#define CDPCC_SIMD_PLAN_PREFETCH_BLOCKS_H
#include "simd/plan/access.h"

#include <llvm-c/Types.h>

/* With a load that all lanes run; `by` is NULL: none. */
struct simd_block_prefetch simd_find_block_prefetch(const struct simd_place *place,
                                                    LLVMValueRef load);

#endif
