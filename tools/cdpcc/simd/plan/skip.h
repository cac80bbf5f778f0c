/* Which code is jumped over where none of its lanes is active. */
#ifndef CDPCC_SIMD_PLAN_SKIP_H
#define CDPCC_SIMD_PLAN_SKIP_H

struct simd_access;
struct simd_graph;

/* A side of a divergent branch gets a branch around it if its nodes cost more. */
enum { SIMD_COST_TO_SKIP = 12 };

/* By node: what is saved if no lane runs it, in instructions. In the arena. accesses: by value,
 * those under masks. */
const unsigned *simd_plan_costs(const struct simd_graph *graph, const struct simd_access *accesses);

#endif
