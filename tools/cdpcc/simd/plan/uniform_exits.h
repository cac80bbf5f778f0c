/* Uniform exits hoisted out of the chunk loop. */
#ifndef CDPCC_SIMD_PLAN_UNIFORM_EXITS_H
#define CDPCC_SIMD_PLAN_UNIFORM_EXITS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_region;

/* Finds a branch on a uniform value that all threads of the region reach, and whose condition is
 * available when the region begins. The region then has a path for each edge of the branch.
 * Sets uniform_exit, exit_condition, path_count, and each path's graph and target; changes nothing
 * if there is no such branch. */
void simd_find_uniform_exit(struct simd_region *region);

#endif
