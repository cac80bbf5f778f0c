/* Uniform exits hoisted out of the chunk loop. */
#ifndef CDPCC_SIMD_PLAN_UNIFORM_EXITS_H
#define CDPCC_SIMD_PLAN_UNIFORM_EXITS_H
#include <stdbool.h>

struct simd_region;

/* A branch on a uniform value that all threads of the region come to, and whose condition is known
 * when the region begins: then the region has a path for each of its ways. */
void simd_find_uniform_exit(struct simd_region *region);
/* Of the condition's operands: the node uses the value that was known when the region began, so it
 * need not be computed. */
bool simd_is_computed_before(const struct simd_region *region, int number, unsigned node);

#endif
