/* Nontemporal stores: which stores bypass the caches. */
#ifndef CDPCC_SIMD_PLAN_NONTEMPORAL_H
#define CDPCC_SIMD_PLAN_NONTEMPORAL_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* Decides which stores of the kernel may be nontemporal, for vectors of that many lanes.  The
 * kernel must be built, and the shapes of its general version known.
 * Sets kernel->nontemporal and nontemporal_bytes; they stay empty on ARM, and in kernels with
 * fences or atomic operations. */
void simd_find_nontemporal(struct simd_kernel *kernel, unsigned lanes);

#endif
