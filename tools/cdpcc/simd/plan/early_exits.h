/* Early exits of a chunk loop: chunks after which nothing is left to do. */
#ifndef CDPCC_SIMD_PLAN_EARLY_EXITS_H
#define CDPCC_SIMD_PLAN_EARLY_EXITS_H

struct simd_path;

/* The node whose branch says that later chunks of the path have nothing to do; -1: none. */
int simd_find_early_exit(const struct simd_path *path);

#endif
