/* Loops over chunks that become straight code. */
#ifndef CDPCC_SIMD_PLAN_UNROLL_H
#define CDPCC_SIMD_PLAN_UNROLL_H
#include "simd/plan/plan.h"

#include <stdbool.h>

struct simd_kernel;

/* The size is known, and the steps for all of its threads may become straight code.
 * False if the block's size is not known. */
bool simd_is_straight_size(const struct simd_kernel *kernel);
/* The kernel has a short loop, such as a tree reduction's, that may become straight code. */
bool simd_has_short_loop(const struct simd_kernel *kernel);
/* The most instructions of straight code for all chunks of a block.  The plan's is_tree must be
 * known. */
unsigned simd_most_straight(const struct simd_plan *plan);
/* What becomes of the path's chunk loop; its form must be known, and the plan's slots. */
enum simd_unroll simd_choose_unroll(const struct simd_path *path);

#endif
