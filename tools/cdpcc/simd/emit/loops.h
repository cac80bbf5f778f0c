/* Emission of loops. */
#ifndef CDPCC_SIMD_EMIT_LOOPS_H
#define CDPCC_SIMD_EMIT_LOOPS_H

struct simd_emit;

/* The mask before and after the loop is not its header's own mask, which only holds inside. */
void simd_loop(struct simd_emit *emit, int number);

#endif
