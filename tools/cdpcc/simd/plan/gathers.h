/* Kernels with too many gathers for block entries. */
#ifndef CDPCC_SIMD_PLAN_GATHERS_H
#define CDPCC_SIMD_PLAN_GATHERS_H

struct simd_plan;

/* Why the kernel gets no block entry, or NULL. The accesses of all paths must be planned. */
const char *simd_gather_refusal(const struct simd_plan *plan);

#endif
