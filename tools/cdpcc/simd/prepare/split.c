/* Splits values that are no elements of vectors.
 *
 *     what                                      becomes                             where
 *     a call that passes or returns a float2    a call with scalars, through a      split_calls.c
 *     or another small structure by value       function that joins them
 *     llvm.umul.with.overflow and the like      a sum or product and a test         overflow.c
 *     a phi of the pairs of compare-and-swaps   phis of their parts                 swap_pairs.c
 *     an integer of more than 64 bits           pieces of 64 bits                   wide.c
 *     an access of 3, 5, 6 or 7 bytes           an access for each byte or pair     wide_memory.c
 *
 * The calls are first, since their operands and results are vectors and wide integers of the
 * kernel. LLVM's scalarizer then splits the vectors. */
#include "simd/prepare/split.h"

#include "ir/context.h"
#include "ir/module.h"
#include "simd/prepare/overflow.h"
#include "simd/prepare/split_calls.h"
#include "simd/prepare/swap_pairs.h"
#include "simd/prepare/wide.h"

static void clean_up(struct lower_context *lower, LLVMValueRef function)
{
    static const char passes[] =
        "scalarizer<load-store>,instcombine<no-verify-fixpoint>,early-cse,adce,loop-simplify,lcssa";
    module_run_passes_on(function, passes, lower->machine);
}

void simd_split_values(struct lower_context *lower, LLVMValueRef function)
{
    if (simd_split_calls(lower, function)) {
        clean_up(lower, function);
    }
    simd_split_swap_pairs(lower, function);
    bool changes = simd_expand_overflow(lower, function);
    changes |= simd_split_wide(lower, function);
    if (changes) {
        clean_up(lower, function);
    }
}
