/* Loops that count bits. */
#ifndef CDPCC_SIMD_PREPARE_BIT_LOOPS_H
#define CDPCC_SIMD_PREPARE_BIT_LOOPS_H
struct lower_context;

/* Replaces the module's loops that count bits by intrinsics, if the processor has instructions for
 * them. */
void simd_replace_bit_loops(const struct lower_context *lower);

#endif
