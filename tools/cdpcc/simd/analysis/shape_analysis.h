/* The analysis that finds the shape of each value. */
#ifndef CDPCC_SIMD_ANALYSIS_SHAPE_ANALYSIS_H
#define CDPCC_SIMD_ANALYSIS_SHAPE_ANALYSIS_H

struct simd_facts;
struct simd_kernel;

/* Computes the shapes and tests of the kernel's facts for its variant.
 * The kernel's facts must be `facts`. Shapes of an earlier call are computed anew; is_forced and
 * is_clobbered are only read. */
void simd_shapes(const struct simd_kernel *kernel, struct simd_facts *facts);

#endif
