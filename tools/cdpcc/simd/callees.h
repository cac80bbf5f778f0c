/* The functions of a unit that kernels call, prepared for vectorization. */
#ifndef CDPCC_SIMD_CALLEES_H
#define CDPCC_SIMD_CALLEES_H

struct lower_context;
struct simd_callees;

/* Fills in the functions that the unit's thread entries call.  The entries must be prepared. */
void simd_find_callees(struct lower_context *lower, struct simd_callees *callees);
/* Called when the plans are no longer used. */
void simd_forget_callees(struct simd_callees *callees);

#endif
