/* Checks what always holds of a plan. */
#ifndef CDPCC_SIMD_PLAN_VALID_H
#define CDPCC_SIMD_PLAN_VALID_H
#include <stdbool.h>

struct simd_plan;

/* False, with a sentence on stderr, if planning has a defect.  Debug builds check each plan before
 * it is emitted. */
bool simd_plan_is_valid(const struct simd_plan *plan);

#endif
