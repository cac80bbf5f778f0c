/* What a version costs a thread, against a thread entry. */
#ifndef CDPCC_SIMD_PLAN_COST_H
#define CDPCC_SIMD_PLAN_COST_H
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;
struct simd_path;
struct simd_plan;
struct simd_version_plan;

/* In simple scalar instructions, for one thread. */
struct simd_cost {
    double block, thread;
};

/* The plan must have no refusal. */
struct simd_cost simd_cost_of(const struct simd_plan *plan);
/* The version of a function, of that cost, is estimated to take longer than scalar calls. It is
 * being planned. */
bool simd_is_slower(const struct simd_plan *plan, struct simd_cost cost);
/* One iteration of a loop of the version: under masks, and by a thread that then leaves the loop.
 */
struct simd_cost simd_cost_of_iteration(const struct simd_path *path,
                                        const struct simd_version_plan *version, int loop);
/* Thread entries may be faster. The runtime measures both. */
bool simd_is_unsure(const struct simd_plan *plan);
/* What the accesses of a version cost, before there is a plan: vectors count as one, gathers as
 * their lanes, and those in loops more often. The kernel must have its shapes. */
uint64_t simd_access_cost(const struct simd_kernel *kernel);

#endif
