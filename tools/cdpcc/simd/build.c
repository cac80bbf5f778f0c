/* Kernels from thread entries, and from functions in the form of one. */
#include "simd/build.h"

#include "ir/module.h"
#include "ir/options.h"
#include "ir/context.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/legality.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/prepare/join_bytes.h"
#include "simd/prepare/coarse_loops.h"
#include "simd/prepare/local_arrays.h"
#include "simd/prepare/offsets.h"
#include "simd/prepare/shuffles.h"
#include "simd/prepare/split.h"

/* Unrolled loops have constant indices, and instcombine makes loads of copies and of selected
 * addresses. So local arrays may now be values. */
static void promote_local_arrays(struct lower_context *lower, LLVMValueRef entry)
{
    static const char passes[] = "sroa,early-cse<memssa>,loop-simplify,lcssa";
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(entry);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMIsAAllocaInst(at) != NULL) {
            module_run_passes_on(entry, passes, lower->machine);
            return;
        }
    }
}

/* The indices of an unrolled loop's iterations differ by constants. */
static void share_bases(struct lower_context *lower, LLVMValueRef entry)
{
    if (simd_split_offsets(lower, entry)) {
        module_run_passes_on(entry, "early-cse<memssa>,loop-simplify,lcssa", lower->machine);
    }
}

/* The budget must know of them, because they unroll loops. */
void simd_prepare_kernel(struct lower_context *lower, LLVMValueRef entry)
{
    simd_prepare_shuffles(lower, entry);
    if (!lower->options->checks.counts) { /* counts are those of the loops */
        simd_prepare_local_arrays(lower, entry);
        simd_unroll_coarse_loops(lower, entry);
        promote_local_arrays(lower, entry);
        share_bases(lower, entry);
    }
    /* AddressSanitizer tests each byte. */
    if (!lower->options->checks.counts && !lower->options->sanitize.address) {
        simd_join_bytes(lower, entry);
    }
    simd_split_values(lower, entry);
}

const char *simd_build_kernel(struct lower_context *lower, const struct lower_kernel *source,
                              LLVMValueRef function, struct simd_kernel *kernel,
                              LLVMValueRef *blamed)
{
    *blamed = NULL;
    *kernel = (struct simd_kernel){
        .lower = lower, .source = source, .callees = kernel->callees, .function = function};
    if (!simd_kernel_build(kernel, blamed)) {
        return "it is too large";
    }
    kernel->facts = simd_facts_new(kernel);
    return simd_refusal(kernel, blamed);
}

void simd_make_reducible(struct lower_context *lower, LLVMValueRef function)
{
    static const char passes[] = "lower-switch,fix-irreducible,loop-simplify,lcssa";
    module_run_passes_on(function, passes, lower->machine);
}
