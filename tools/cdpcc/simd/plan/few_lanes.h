/* Loops in which the last lanes run one after the other. */
#ifndef CDPCC_SIMD_PLAN_FEW_LANES_H
#define CDPCC_SIMD_PLAN_FEW_LANES_H

struct simd_path;
struct simd_version_plan;

/* How many lanes of the chunk may be left in the masked loop so that each of them runs the rest of
 * the loop alone; 0: the loop stays masked to its end.
 * The version's loops and accesses must be planned. */
unsigned simd_find_few_lanes(const struct simd_path *path, const struct simd_version_plan *version,
                             int loop, unsigned vectors);

#endif
