/* How much code the kernels of a unit may become. Compile time is proportional to it. */
#ifndef CDPCC_SIMD_BUDGET_H
#define CDPCC_SIMD_BUDGET_H
#include <stdbool.h>

struct lower_context;
struct simd_callees;
struct simd_options;

/* What a unit's kernels may have. Depends on the unit's code alone, so that objects are the same on
 * all machines. */
struct simd_budget {
    unsigned most_straight; /* instructions of straight code around a short loop, for a version */
    bool keeps_one;         /* each kernel has one version */
};

/* Called when the thread entries are simplified and prepared. */
struct simd_budget simd_budget_of(const struct lower_context *lower,
                                  const struct simd_callees *callees);
/* The same budget in the options of a kernel's versions. */
void simd_apply_budget(const struct simd_budget *budget, struct simd_options *options);

#endif
