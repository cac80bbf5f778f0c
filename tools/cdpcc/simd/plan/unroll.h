/* Loops over chunks that become straight code. */
#ifndef CDPCC_SIMD_PLAN_UNROLL_H
#define CDPCC_SIMD_PLAN_UNROLL_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_kernel;

/* The size is known, and the steps for all of its threads may become straight code.
 * False if the block's size is not known. */
bool simd_is_straight_size(const struct simd_kernel *kernel);
/* The kernel has a short loop, such as a tree reduction's, that may become straight code. */
bool simd_has_short_loop(const struct simd_kernel *kernel);

#endif
