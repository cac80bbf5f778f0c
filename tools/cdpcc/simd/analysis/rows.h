/* How the rows of a block depend on each other: the threads with the same threadIdx.y and .z. */
#ifndef CDPCC_SIMD_ANALYSIS_ROWS_H
#define CDPCC_SIMD_ANALYSIS_ROWS_H
#include <stdbool.h>

struct simd_kernel;

/* Lanes may go along threadIdx.y: nothing in the kernel depends on which threads are in a vector.
 * It has no warp operations, and makes no calls that need the number of the calling thread. */
bool simd_may_be_transposed(const struct simd_kernel *kernel);
/* Threads with the same threadIdx.x do the same, whatever their y and z are: they store the same
 * values at the same addresses, and change nothing that others read. Some programs launch blocks of
 * 32x8 threads for a kernel that reads x only. One row is then as good as all of them. If a thread
 * reads what another one of its column stores, the program has a race, and may have this result,
 * too. */
bool simd_rows_are_copies(const struct simd_kernel *kernel);

#endif
