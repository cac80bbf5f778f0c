/* Parameters that are strides of accesses. */
#ifndef CDPCC_SIMD_ANALYSIS_SYMBOLIC_STRIDES_H
#define CDPCC_SIMD_ANALYSIS_SYMBOLIC_STRIDES_H
#include <stddef.h>

struct simd_kernel;
struct simd_symbolic_stride;

/* The parameters by which accesses of neighbouring threads, or neighbouring fields of a thread's
 * element, are apart.  If all of them are 1, more accesses are contiguous.  The kernel must have
 * its shapes.  In the arena; *count may be 0. */
struct simd_symbolic_stride *simd_find_symbolic_strides(const struct simd_kernel *kernel,
                                                        size_t *count);

#endif
