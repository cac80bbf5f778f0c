/* Whether the rows of a block do the same. */
#ifndef CDPCC_SIMD_ANALYSIS_ROW_COPIES_H
#define CDPCC_SIMD_ANALYSIS_ROW_COPIES_H
#include <stdbool.h>

struct simd_kernel;

/* Threads with the same threadIdx.x do the same, whatever their y and z are: they store the same
 * values at the same addresses, and change nothing that others read. Some programs launch blocks of
 * 32x8 threads for a kernel that reads x only. One row is then as good as all of them. If a thread
 * reads what another one of its column stores, the program has a race, and may have this result,
 * too. */
bool simd_rows_are_copies(const struct simd_kernel *kernel);

#endif
