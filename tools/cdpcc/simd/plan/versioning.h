/* Loop versioning by a run-time test. */
#ifndef CDPCC_SIMD_PLAN_VERSIONING_H
#define CDPCC_SIMD_PLAN_VERSIONING_H
#include <stdbool.h>

struct simd_graph;
struct simd_path;

/* The tested values of a loop with these nodes, by value number.  They are computed before the
 * loop, they are affine or uniform only if a test holds, and addresses in the loop depend on them.
 * NULL: there are none, or the loop is too long.
 * The array is in the arena. */
bool *simd_find_tested(const struct simd_path *path, const struct simd_graph *graph,
                       const bool *inside, unsigned header);

#endif
