/* Barriers before the branches of threads that wait. */
#ifndef CDPCC_SIMD_PREPARE_SEPARATE_WAITS_H
#define CDPCC_SIMD_PREPARE_SEPARATE_WAITS_H
#include <stdbool.h>

struct simd_kernel;

/* Changes the kernel's function, which must not be a thread entry.  True: the kernel must be built
 * again. */
bool simd_separate_waits(const struct simd_kernel *kernel);

#endif
