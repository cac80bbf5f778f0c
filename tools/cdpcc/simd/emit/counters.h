/* --count: numbers that block entries count by themselves. */
#ifndef CDPCC_SIMD_EMIT_COUNTERS_H
#define CDPCC_SIMD_EMIT_COUNTERS_H
#include "abi/cdp_count.h"

#include <llvm-c/Types.h>
#include <stdint.h>

struct simd_emit;

/* What one step adds: as in struct cdp_abi_counter. */
struct simd_step {
    enum cdp_abi_count_space space;
    uint32_t requests, lanes, bytes, parts;
};
/* Adds i64 steps to the number of a site, or of a basic block. */
void simd_count_steps(struct simd_emit *emit, LLVMValueRef of, struct simd_step step,
                      LLVMValueRef steps);
/* The function has been emitted: makes the table of its counters. */
void simd_end_counters(struct simd_emit *emit);

#endif
