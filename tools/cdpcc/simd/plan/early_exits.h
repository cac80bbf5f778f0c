/* Early exits of a chunk loop: a chunk after which the remaining chunks have nothing to do. */
#ifndef CDPCC_SIMD_PLAN_EARLY_EXITS_H
#define CDPCC_SIMD_PLAN_EARLY_EXITS_H

struct simd_path;

/* The node whose branch decides that later chunks of the path have nothing to do; -1: none.
 * The path's form must be known, and it must have a masked loop. */
int simd_find_early_exit(const struct simd_path *path);

#endif
