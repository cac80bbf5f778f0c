/* The vectorizer: a block entry is one function that runs all threads of a block, a vector of them
 * at a time.
 *
 * The pass works on thread entries that are inlined and simplified.  It cuts each at its barriers
 * into regions.  A region becomes a loop over chunks of W x U threads (W lanes in a vector, U
 * vectors side by side).  Inside it is the kernel's own control flow, under lane masks.  Uniform
 * values stay scalar, and branches on them stay branches.
 *   ir/        the kernel as nodes (basic blocks cut at barriers), their dominators and loops
 *   analysis/  facts about it: shapes of values, convergence, progress, aliases, legality
 *   plan/      decisions: width, slots, versions of loops, interleave groups, prefetches
 *   emit/      emission of the plan: values, masks, control flow, accesses, the function
 *   post/      passes on block entries after LLVM's optimizer
 *   versions   which versions a kernel has; dispatch chooses among them at launch
 *   entries    a copy of the kernel if it has to be changed, its versions, and their dispatcher
 *   remarks    what --explain prints
 *
 * This file decides which kernels get block entries.
 *
 * Nothing is freed: all memory is in the arena. */
#include "simd/pass.h"

#include "instrument/address.h"
#include "instrument/instrument.h"
#include "ir/module.h"
#include "ir/options.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "simd/analysis/launch_sizes.h"
#include "simd/analysis/legality.h"
#include "simd/budget.h"
#include "simd/callees.h"
#include "simd/entries.h"
#include "simd/emit/debug_lines.h"
#include "simd/ir/kernel.h"
#include "simd/ir/settings.h"
#include "simd/prepare/bit_loops.h"
#include "simd/prepare/contract.h"
#include "simd/prepare/high_product.h"
#include "simd/prepare/exact_sums.h"
#include "simd/prepare/float_ranges.h"
#include "simd/prepare/in_step.h"
#include "simd/prepare/inline.h"
#include "simd/prepare/nans.h"
#include "simd/prepare/join_stores.h"
#include "simd/prepare/low_products.h"
#include "simd/prepare/offsets.h"
#include "simd/prepare/carry.h"
#include "simd/build.h"
#include "simd/plan/callees.h"
#include "simd/prepare/tail_calls.h"
#include "simd/remarks.h"
#include "simd/serialize.h"
#include "simd/versions.h"
#include "support/str.h"
#include "support/timing.h"

#include <stdio.h>
#include <string.h>

/* Inlines, brings loops into one form, and lets values leave loops only through phis (LCSSA).  It
 * does not unroll or vectorize: the vectorizer and the later optimizer do that.
 *
 * sroa runs again after instcombine, which makes loads of copies and of selected addresses. */
static const char before_motion[] =
    "always-inline,cgscc(inline),function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "sroa,simplifycfg,jump-threading,loop-simplify,loop(loop-rotate))";
static const char motion[] = "function(loop-mssa(licm))";
static const char after_motion[] =
    "function(correlated-propagation,gvn<no-pre>,"
    "simplifycfg<no-switch-to-lookup;hoist-common-insts>,instcombine<no-verify-fixpoint>,adce,"
    "scalarizer<load-store>,instcombine<no-verify-fixpoint>,loop-simplify,lcssa)";

static bool is_wanted(const struct lower_context *lower)
{
    const struct lower_options *options = lower->options;
    return options->block_entries && !options->debug_device && options->optimize > 0 &&
           !options->sanitize.thread && lower->kernel_count != 0;
}

/* Instrumentation needs to know the variables of shared memory. */
static bool keeps_markers(const struct lower_context *lower)
{
    const bool *checks = lower->options->checks.on;
    return lower->options->sanitize.address || checks[CHECK_MEMORY] || checks[CHECK_RACE];
}

/* False: LLVM has reported an error. */
static bool prepare_module(struct lower_context *lower)
{
    simd_replace_tail_calls(lower);
    simd_inline(lower);
    simd_mark_in_step(lower);
    if (!module_run_passes(lower->module, before_motion, lower->machine)) {
        return false;
    }
    lower_mark_shared(lower);
    if (!keeps_markers(lower)) {
        instrument_forget_markers(lower);
    }
    simd_keep_exact_sums(lower);
    bool is_moved = module_run_passes(lower->module, motion, lower->machine);
    simd_release_exact_sums(lower);
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        (void)simd_split_offsets(lower, f);
        simd_split_products(lower, f);
        /* A check, and its report, names the store that ran. */
        if (!check_any(&lower->options->checks) && !lower->options->sanitize.address) {
            simd_join_stores(lower, f);
        }
    }
    if (!is_moved || !module_run_passes(lower->module, after_motion, lower->machine)) {
        return false;
    }
    simd_replace_bit_loops(lower);
    return true;
}

static void prepare_kernels(struct lower_context *lower)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined) {
            simd_prepare_kernel(lower, lower->kernels[i].entry);
        }
    }
    if (lower->options->sanitize.address) {
        instrument_forget_idle(lower);
    }
    simd_unmark_in_step(lower);
}

/* A kernel with a loop of two entries is given one entry, and built a second time. */
static void lower_kernel(struct lower_context *lower, struct lower_kernel *source,
                         struct simd_callees *callees, const struct simd_launches *launches,
                         const struct simd_budget *budget)
{
    struct simd_kernel kernel = {.callees = callees};
    LLVMValueRef blamed;
    const char *why = simd_build_kernel(lower, source, source->entry, &kernel, &blamed);
    if (kernel.traits.is_irreducible) {
        simd_make_reducible(lower, source->entry);
        why = simd_build_kernel(lower, source, source->entry, &kernel, &blamed);
    }
    if (why == NULL && simd_is_always_tiny(launches, source)) {
        why = "all launches are of one or two threads";
    }
    if (why == NULL && simd_is_never_launched(launches, source)) {
        why = "no launch reaches it";
    }
    if (why != NULL) {
        simd_explain_refusal(&kernel, why, blamed);
    } else {
        simd_make_entries(&kernel, source, launches, budget);
    }
    source->block.diverges_at_barriers = simd_diverges_at_barriers(&kernel);
}

void lower_blocks(struct lower_context *lower)
{
    if (!is_wanted(lower)) {
        instrument_forget_markers(lower);
        if (lower->options->explain && lower->kernel_count != 0) {
            fprintf(stderr,
                    "all kernels: thread entries: -O0, -g, -G, -fsanitize=thread or undefined "
                    "and --entry=thread disable block entries; compile without them\n");
        }
        return;
    }
    if (!simd_settings_are_right(lower)) {
        return;
    }
    int64_t begun = timing_now();
    if (!prepare_module(lower)) {
        simd_unmark_in_step(lower);
        instrument_forget_markers(lower);
        return;
    }
    simd_drop_carries(lower);
    simd_drop_nans(lower);
    simd_drop_saturation(lower);
    simd_contract(lower);
    timing_add_since(TIMING_PASS, "blocks: inlining and simplification", "", begun);
    lower->blocks_are_known = true;
    begun = timing_now();
    struct simd_launches launches = simd_launches_find(lower);
    timing_add_since(TIMING_PASS, "blocks: sizes of launches", "", begun);
    begun = timing_now();
    if (lower->options->sanitize.address) {
        instrument_addresses(lower);
    }
    prepare_kernels(lower);
    simd_serialize_launches(lower, &launches);
    struct simd_callees callees = {.count = 0};
    simd_find_callees(lower, &callees);
    timing_add_since(TIMING_PASS, "blocks: preparation of kernels", "", begun);
    begun = timing_now();
    const struct simd_budget budget = simd_budget_of(lower, &callees);
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined) {
            lower_kernel(lower, &lower->kernels[i], &callees, &launches, &budget);
        }
    }
    simd_forget_callees(&callees);
    simd_inline_serial_children(lower);
    if (lower->options->sanitize.address) {
        instrument_forget_addresses(lower);
    }
    simd_debug_finish(lower);
    simd_expand_high_products(lower);
    timing_add_since(TIMING_PASS, "blocks: analysis, plans, emission", "", begun);
}
