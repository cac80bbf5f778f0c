/* Whether lanes go along threadIdx.x or along threadIdx.y. */
#ifndef CDPCC_SIMD_PLAN_ORIENTATION_H
#define CDPCC_SIMD_PLAN_ORIENTATION_H
#include <stdbool.h>

struct simd_kernel;

/* Nothing in the kernel depends on which threads are in a vector: it has no warp operations, and
 * makes no calls that need the number of the calling thread. */
bool simd_may_be_transposed(const struct simd_kernel *kernel);

#endif
