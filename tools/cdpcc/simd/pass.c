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
#include "simd/analysis/facts.h"
#include "simd/analysis/launch_sizes.h"
#include "simd/analysis/legality.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/shape_analysis.h"
#include "simd/budget.h"
#include "simd/callees.h"
#include "simd/dispatch.h"
#include "simd/emit/debug_lines.h"
#include "simd/ir/calls.h"
#include "simd/ir/clone.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/kernel.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/ir/settings.h"
#include "simd/ir/variant.h"
#include "simd/ir/wide_calls.h"
#include "simd/plan/cost.h"
#include "simd/plan/nontemporal.h"
#include "simd/plan/row_walks.h"
#include "simd/plan/slots.h"
#include "simd/plan/width.h"
#include "simd/prepare/bit_loops.h"
#include "simd/prepare/bounded_indices.h"
#include "simd/prepare/contract.h"
#include "simd/prepare/high_product.h"
#include "simd/prepare/exact_sums.h"
#include "simd/prepare/float_ranges.h"
#include "simd/prepare/in_step.h"
#include "simd/prepare/inline.h"
#include "simd/prepare/interleave_locals.h"
#include "simd/prepare/separate_waits.h"
#include "simd/prepare/nans.h"
#include "simd/prepare/join_stores.h"
#include "simd/prepare/local_uses.h"
#include "simd/prepare/offsets.h"
#include "simd/prepare/small_arrays.h"
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

enum { MOST_BRIEF = 256 }; /* values of a kernel that is called brief */

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
        simd_split_offsets(lower, f);
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

/* The runtime records, for each block, what it has launched, allocated and failed to do.  So one
 * call may run several blocks if the kernel contains nothing but arithmetic and accesses of memory.
 * Most blocks of a kernel that launches or prints may do neither: their launches become loops
 * (serialized children), or a condition does not hold.  There a call may end after the first block
 * that does (dispatch.c). */
static void find_calls(struct simd_kernel *kernel)
{
    enum simd_range *range = &kernel->traits.range;
    *range = RANGE_ANY;
    for (size_t i = 0; i < kernel->value_count; i++) {
        LLVMValueRef at = kernel->values[i];
        bool is_call = kernel->node_of[i] >= 0 && LLVMIsACallInst(at) != NULL;
        if (is_call && !simd_is_barrier(at) && simd_warp_operation_of(at) == WARP_NONE &&
            !simd_is_arithmetic_call(at) && !simd_is_address_test(at)) {
            bool may_be_last = simd_is_print(at) || simd_is_device_launch(at) ||
                               simd_is_parameter_buffer(at) || simd_is_serial_child(at);
            *range = may_be_last && *range != RANGE_ONE ? RANGE_UP_TO_A_CALL : RANGE_ONE;
        }
    }
}

/* The kernel is known to end soon: it has no loop, and no call that may take long. */
static bool is_brief(const struct simd_kernel *kernel)
{
    if (kernel->traits.range != RANGE_ANY || kernel->value_count > MOST_BRIEF) {
        return false;
    }
    for (size_t i = 0; i < kernel->value_count; i++) {
        LLVMValueRef at = kernel->values[i];
        if (LLVMIsACallInst(at) != NULL && str_starts(simd_callee_name(at), "llvm.mem")) {
            return false;
        }
    }
    return simd_graph_build(kernel, 0, true, NULL)->loop_count == 0;
}

/* Thread entries yield between such accesses (backend/yield.c).  They also yield in loops that
 * poll, which brief kernels do not have. */
static bool may_yield(LLVMValueRef at)
{
    bool is_access = LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL;
    return LLVMIsAFenceInst(at) != NULL ||
           (is_access && (LLVMGetVolatile(at) || simd_is_order(at)));
}

/* A brief kernel of which this is true runs each thread to its end without waiting, by its thread
 * entry, too: its only calls are arithmetic, and it does not yield. */
static bool never_waits(const struct simd_kernel *kernel)
{
    for (size_t i = 0; i < kernel->value_count; i++) {
        LLVMValueRef at = kernel->values[i];
        bool is_call = LLVMIsACallInst(at) != NULL;
        bool waits = is_call ? simd_is_barrier(at) || simd_warp_operation_of(at) != WARP_NONE
                             : may_yield(at);
        if (kernel->node_of[i] >= 0 && waits) {
            return false;
        }
    }
    return kernel->traits.range == RANGE_ANY;
}

/* No loop of the kernel polls, so accesses that bypass a cache level may become plain ones. */
static void make_cached_accesses_plain(const struct simd_kernel *kernel)
{
    for (size_t i = 0; i < kernel->value_count; i++) {
        if (kernel->node_of[i] >= 0 && lower_is_cached(kernel->values[i])) {
            LLVMSetOrdering(kernel->values[i], LLVMAtomicOrderingNotAtomic);
        }
    }
}

/* Emits the entries of a kernel that may have them. */
static void make_entries(struct simd_kernel *kernel, struct lower_kernel *source,
                         const struct simd_launches *launches, const struct simd_budget *budget)
{
    struct simd_versions versions = {.count = 0};
    make_cached_accesses_plain(kernel);
    find_calls(kernel);
    struct simd_version general = {.layout =
                                       kernel->traits.uses_rows ? LAYOUT_ROWS : LAYOUT_ONE_ROW};
    general.options = simd_options_of(kernel);
    simd_apply_budget(budget, &general.options);
    uint64_t local = simd_local_bytes(kernel, general.options.lanes * general.options.vectors);
    bool has_barriers = kernel->traits.barrier_count != 0;
    if (local > (has_barriers ? SIMD_MOST_LOCAL : SIMD_MOST_LARGE_LOCAL)) {
        simd_explain_refusal(kernel, "its threads have too much local memory", NULL);
        return;
    }
    LLVMValueRef blamed;
    const char *why = simd_row_walk_refusal(kernel, &blamed);
    if (why != NULL) {
        simd_explain_refusal(kernel, why, blamed);
        return;
    }
    simd_find_nontemporal(kernel, general.options.lanes);
    simd_make_versions(kernel, &versions, launches, &general);
    if (versions.count == 0) {
        simd_explain_refusal(kernel, general.refusal, general.plan->blamed);
        return;
    }
    source->block.runs_ranges = kernel->traits.range != RANGE_ONE;
    source->block.is_brief = is_brief(kernel);
    source->block.never_waits = never_waits(kernel);
    source->block.has_large_locals = local > SIMD_MOST_LOCAL;
    /* What waits cannot be measured. */
    source->block.is_unsure = !kernel->traits.waits && simd_is_unsure(versions.items[0].plan);
    source->block.entry = simd_build_dispatch(kernel, &versions);
    simd_explain_versions(kernel, &versions, &general);
    simd_delete_clones(&versions);
}

/* The index, or the choice of an address, differs between the threads of a vector. */
static bool varies(const struct simd_kernel *kernel, LLVMValueRef address)
{
    if (LLVMIsAGetElementPtrInst(address) == NULL) {
        return LLVMIsAAllocaInst(address) == NULL &&
               simd_shape_of(kernel, address)->kind == SHAPE_VARYING;
    }
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(address); k++) {
        if (simd_shape_of(kernel, LLVMGetOperand(address, k))->kind > SHAPE_VECTOR) {
            return true;
        }
    }
    return false;
}

/* Several variables have no common layout that could be interleaved. */
static bool has_varying_index(const struct simd_kernel *kernel, const struct simd_local_uses *array)
{
    for (size_t i = 0; i < array->address_count; i++) {
        if (varies(kernel, array->addresses[i])) {
            return true;
        }
    }
    return array->alloca_count > 1;
}

/* Marks the arrays that become values. Arrays whose indices are uniform are interleaved instead.
 * False: there are none. */
static bool mark_small_arrays(const struct simd_kernel *given)
{
    struct simd_kernel kernel = *given;
    struct simd_local_uses array;
    size_t count;
    LLVMValueRef *variables = simd_find_variables(given->function, &count);
    bool result = false;
    kernel.facts = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!simd_find_local_uses(&array, given->lower, variables[i]) ||
            !simd_is_small_array(&array)) {
            continue;
        }
        if (kernel.facts == NULL) {
            struct simd_facts *facts = simd_facts_new(&kernel);
            kernel.variant.layout = given->traits.uses_rows ? LAYOUT_ROWS : LAYOUT_ONE_ROW;
            kernel.variant.lanes = SIMD_MOST_LANES;
            kernel.facts = facts;
            simd_shapes(&kernel, facts);
        }
        if (has_varying_index(&kernel, &array)) {
            simd_mark_small_array(&array);
            result = true;
        }
    }
    return result;
}

/* Emits the entries from a copy of the kernel if it has arrays to change, waits to separate, or
 * indices that have a bound, since thread entries keep them as they are. Counted programs do so,
 * too: they count the accesses of the program. */
static void make_changed_entries(struct simd_kernel *kernel, struct lower_kernel *source,
                                 const struct simd_launches *launches,
                                 const struct simd_budget *budget)
{
    static const struct simd_size any_size = {0};
    struct lower_context *lower = kernel->lower;
    bool interleaves =
        !lower->options->checks.counts && simd_has_interleavable_locals(lower, kernel->function);
    bool separates = kernel->traits.waits && !check_any(&lower->options->checks);
    bool has_small_arrays = !check_any(&lower->options->checks) &&
                            !lower->options->sanitize.address && mark_small_arrays(kernel);
    if (!interleaves && !separates && !has_small_arrays &&
        !simd_has_bounded_indices(kernel->function)) {
        make_entries(kernel, source, launches, budget);
        return;
    }
    struct simd_kernel copy;
    LLVMValueRef function = simd_clone_for_size(kernel, &any_size, false), blamed;
    simd_unmark_small_arrays(lower, kernel->function);
    copy.callees = kernel->callees;
    if (has_small_arrays) {
        simd_expand_small_arrays(lower, function);
    }
    if (interleaves) {
        simd_interleave_locals(lower, function);
    }
    struct simd_index_bound bound = simd_mark_bounded_indices(lower, function);
    const char *why = simd_build_kernel(lower, source, function, &copy, &blamed);
    if (why == NULL && separates && simd_separate_waits(&copy)) {
        why = simd_build_kernel(lower, source, function, &copy, &blamed);
    }
    copy.most_threads = bound.threads;
    copy.block_factor = bound.block_factor;
    copy.limits = bound.limits;
    copy.limit_count = bound.limit_count;
    make_entries(why == NULL ? &copy : kernel, source, launches, budget);
    LLVMDeleteFunction(function);
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
        make_changed_entries(&kernel, source, launches, budget);
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
