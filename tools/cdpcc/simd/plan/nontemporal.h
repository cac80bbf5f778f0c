/* Stores that go past the caches. */
#ifndef CDPCC_SIMD_PLAN_NONTEMPORAL_H
#define CDPCC_SIMD_PLAN_NONTEMPORAL_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_kernel;

/* The kernel is built, and its general shapes are known: which of its stores may be such, by
 * vectors of so many lanes. */
void simd_find_nontemporal(struct simd_kernel *kernel, unsigned lanes);

#endif
