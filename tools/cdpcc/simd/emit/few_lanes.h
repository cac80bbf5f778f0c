/* Emission of the last lanes of a divergent loop, one after the other. */
#ifndef CDPCC_SIMD_EMIT_FEW_LANES_H
#define CDPCC_SIMD_EMIT_FEW_LANES_H
#include <llvm-c/Types.h>
#include "simd/emit/emit.h"

/* The lanes that have left a loop by one of its exits, and the values that they take with them. */
struct simd_loop_exit {
    struct simd_value left;    /* the lanes, as a mask */
    struct simd_value *values; /* by phi of the exit; unset: not collected */
};

/* Emits scalar code that runs the rest of the loop for each lane of the mask, starting with those
 * values of the header's phis. Updates the exits, which are in the order of the loop's plan. */
void simd_run_few_lanes(struct simd_emit *emit, int loop, const LLVMValueRef *mask,
                        const struct simd_value *phis, struct simd_loop_exit *exits);

#endif
