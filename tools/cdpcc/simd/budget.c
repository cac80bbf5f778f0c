/* Most units have a few kernels of some hundred instructions. A unit with forty instances of a
 * template, or with a solver's generated code, would take minutes if each kernel had versions for
 * two sizes and for all other sizes, and straight code for its trees.
 *
 * So the instructions of all thread entries, and of the functions that they call, are counted
 * first. If there are many, each kernel keeps one version. The length of straight code is limited
 * by the number of kernels, which share an allowance. The numbers are such that the passes and the
 * code generator need about two seconds more for a unit just below the limit. */
#include "simd/budget.h"

#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/plan/callees.h"
#include "simd/plan/plan.h"

enum {
    MOST_WORK = 20000,
    WORK_OF_KERNEL = 500, /* an entry has some code of its own */
    STRAIGHT_OF_UNIT = 60000,
    LEAST_STRAIGHT = 1000, /* of a version, however many kernels there are */
};

struct simd_budget simd_budget_of(const struct lower_context *lower,
                                  const struct simd_callees *callees)
{
    unsigned work = 0, count = 0;
    for (size_t i = 0; i < callees->count; i++) {
        const struct simd_callee *callee = callees->items[i];
        if (callee->refusal == NULL) {
            work += WORK_OF_KERNEL + lower_count_instructions(callee->function);
        }
    }
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined) {
            work += WORK_OF_KERNEL + lower_count_instructions(lower->kernels[i].entry);
            count++;
        }
    }
    unsigned share = STRAIGHT_OF_UNIT / (count == 0 ? 1 : count);
    return (struct simd_budget){.most_straight = share < LEAST_STRAIGHT ? LEAST_STRAIGHT : share,
                                .keeps_one = work > MOST_WORK};
}

void simd_apply_budget(const struct simd_budget *budget, struct simd_options *options)
{
    options->most_straight = budget->most_straight;
    options->keeps_one = budget->keeps_one;
}
