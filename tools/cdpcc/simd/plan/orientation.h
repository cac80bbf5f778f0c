/* Whether lanes go along threadIdx.x or along threadIdx.y. */
#ifndef CDPCC_SIMD_PLAN_ORIENTATION_H
#define CDPCC_SIMD_PLAN_ORIENTATION_H
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* Nothing in the kernel depends on which threads are in a vector: it has no warp operations, and
 * makes no calls that need the number of the calling thread. */
bool simd_may_be_transposed(const struct simd_kernel *kernel);
/* Threads with the same threadIdx.x do the same, whatever their y and z are: they store the same
 * values at the same addresses, and change nothing that others read. Some programs launch blocks of
 * 32x8 threads for a kernel that reads x only. One row is then as good as all of them. If a thread
 * reads what another one of its column stores, the program has a race, and may have this result,
 * too. */
bool simd_rows_are_copies(const struct simd_kernel *kernel);
/* What the accesses of a version cost: vectors count as one, gathers as their lanes, and those in
 * loops more often. The kernel must have its shapes. */
uint64_t simd_access_cost(const struct simd_kernel *kernel);

#endif
