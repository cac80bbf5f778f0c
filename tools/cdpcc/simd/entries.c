/* The block entries of one kernel.
 *
 * They are made from a copy of the kernel if that has to be changed first.  If parameters are
 * strides, there are two sets of versions (struct entries): one for launches in which these
 * parameters are 1, and one for all launches. */
#include "simd/entries.h"

#include "instrument/instrument.h"
#include "ir/options.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/launch_sizes.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/shape_analysis.h"
#include "simd/analysis/symbolic_strides.h"
#include "simd/budget.h"
#include "simd/build.h"
#include "simd/dispatch.h"
#include "simd/ir/calls.h"
#include "simd/ir/clone.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/kernel.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/ir/symbolic_stride.h"
#include "simd/ir/variant.h"
#include "simd/ir/wide_calls.h"
#include "simd/plan/cost.h"
#include "simd/plan/nontemporal.h"
#include "simd/plan/row_walks.h"
#include "simd/plan/slots.h"
#include "simd/plan/width.h"
#include "simd/prepare/bounded_indices.h"
#include "simd/prepare/interleave_locals.h"
#include "simd/prepare/local_uses.h"
#include "simd/prepare/separate_waits.h"
#include "simd/prepare/small_arrays.h"
#include "simd/prepare/unit_strides.h"
#include "simd/remarks.h"
#include "simd/versions.h"
#include "support/str.h"

enum {
    MOST_BRIEF = 256,  /* values of a kernel that is called brief */
    MOST_VALUES = 500, /* of a kernel that has versions for unit strides, too */
};

/* The versions that are made from one function.  Life: that of simd_make_entries(). */
struct entries {
    struct simd_kernel kernel; /* of the function, or of the copy */
    LLVMValueRef copy;         /* NULL: the kernel is that of the given function */
    struct simd_version general;
    struct simd_versions versions; /* none: refused */
    uint64_t local;                /* bytes of local variables for a chunk */
    const char *refusal;
    LLVMValueRef blamed;
};

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

/* The versions of the kernel.  If there are none, the refusal is set. */
static void make_versions(struct entries *entries, const struct simd_launches *launches,
                          const struct simd_budget *budget)
{
    struct simd_kernel *kernel = &entries->kernel;
    struct simd_version *general = &entries->general;
    make_cached_accesses_plain(kernel);
    find_calls(kernel);
    *general =
        (struct simd_version){.layout = kernel->traits.uses_rows ? LAYOUT_ROWS : LAYOUT_ONE_ROW};
    general->options = simd_options_of(kernel);
    simd_apply_budget(budget, &general->options);
    entries->local = simd_local_bytes(kernel, general->options.lanes * general->options.vectors);
    bool has_barriers = kernel->traits.barrier_count != 0;
    if (entries->local > (has_barriers ? SIMD_MOST_LOCAL : SIMD_MOST_LARGE_LOCAL)) {
        entries->refusal = "its threads have too much local memory";
        return;
    }
    entries->refusal = simd_row_walk_refusal(kernel, &entries->blamed);
    if (entries->refusal != NULL) {
        return;
    }
    simd_find_nontemporal(kernel, general->options.lanes);
    simd_make_versions(kernel, &entries->versions, launches, general);
    if (entries->versions.count == 0) {
        entries->refusal = general->refusal;
        entries->blamed = general->plan->blamed;
    }
}

/* The kernel with the shapes of its general version. */
static struct simd_kernel with_shapes(const struct simd_kernel *given)
{
    struct simd_kernel kernel = *given;
    struct simd_facts *facts = simd_facts_new(&kernel);
    kernel.variant.layout = given->traits.uses_rows ? LAYOUT_ROWS : LAYOUT_ONE_ROW;
    kernel.variant.lanes = SIMD_MOST_LANES;
    kernel.facts = facts;
    simd_shapes(&kernel, facts);
    return kernel;
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
    struct simd_kernel kernel;
    struct simd_local_uses array;
    size_t count;
    LLVMValueRef *variables = simd_find_variables(given->function, &count);
    bool result = false, has_shapes = false;
    for (size_t i = 0; i < count; i++) {
        if (!simd_find_local_uses(&array, given->lower, variables[i]) ||
            !simd_is_small_array(&array)) {
            continue;
        }
        if (!has_shapes) {
            kernel = with_shapes(given);
            has_shapes = true;
        }
        if (has_varying_index(&kernel, &array)) {
            simd_mark_small_array(&array);
            result = true;
        }
    }
    return result;
}

/* The versions come from a copy of the kernel if it has arrays to change, waits to separate, or
 * indices that have a bound, since thread entries keep them as they are. Counted programs do so,
 * too: they count the accesses of the program. */
static void change_kernel(struct entries *entries, const struct simd_kernel *kernel)
{
    static const struct simd_size any_size = {0};
    struct lower_context *lower = kernel->lower;
    bool interleaves =
        !lower->options->checks.counts && simd_has_interleavable_locals(lower, kernel->function);
    bool separates = kernel->traits.waits && !check_any(&lower->options->checks);
    bool has_small_arrays = !check_any(&lower->options->checks) &&
                            !lower->options->sanitize.address && mark_small_arrays(kernel);
    entries->kernel = *kernel;
    if (!interleaves && !separates && !has_small_arrays &&
        !simd_has_bounded_indices(kernel->function)) {
        return;
    }
    struct simd_kernel copy = {.callees = kernel->callees};
    LLVMValueRef function = simd_clone_for_size(kernel, &any_size, false), blamed;
    simd_unmark_small_arrays(lower, kernel->function);
    if (has_small_arrays) {
        simd_expand_small_arrays(lower, function);
    }
    if (interleaves) {
        simd_interleave_locals(lower, function);
    }
    struct simd_index_bound bound = simd_mark_bounded_indices(lower, function);
    const char *why = simd_build_kernel(lower, kernel->source, function, &copy, &blamed);
    if (why == NULL && separates && simd_separate_waits(&copy)) {
        why = simd_build_kernel(lower, kernel->source, function, &copy, &blamed);
    }
    if (why != NULL) {
        LLVMDeleteFunction(function);
        return;
    }
    copy.conditions = kernel->conditions;
    copy.conditions.most_threads = bound.threads;
    copy.conditions.block_factor = bound.block_factor;
    copy.conditions.limits = bound.limits;
    copy.conditions.limit_count = bound.limit_count;
    entries->kernel = copy;
    entries->copy = function;
}

/* The kernel in which parameters that are strides are 1.  The caller deletes its function.  False:
 * there are no such parameters. */
static bool build_with_unit_strides(const struct simd_kernel *kernel, struct simd_kernel *out)
{
    static const struct simd_size any_size = {0};
    struct lower_context *lower = kernel->lower;
    if (kernel->value_count > MOST_VALUES || check_any(&lower->options->checks) ||
        lower->options->sanitize.address) {
        return false;
    }
    const struct simd_kernel shaped = with_shapes(kernel);
    struct simd_launch_conditions conditions = {.most_threads = 0};
    conditions.unit_strides = simd_find_symbolic_strides(&shaped, &conditions.unit_stride_count);
    if (conditions.unit_stride_count == 0) {
        return false;
    }
    LLVMValueRef function = simd_clone_for_size(kernel, &any_size, false), blamed;
    simd_set_unit_strides(lower, function, conditions.unit_strides, conditions.unit_stride_count);
    *out = (struct simd_kernel){.callees = kernel->callees};
    if (simd_build_kernel(lower, kernel->source, function, out, &blamed) != NULL) {
        LLVMDeleteFunction(function);
        return false;
    }
    out->conditions = conditions;
    return true;
}

static void delete_functions(struct entries *entries)
{
    simd_delete_clones(&entries->versions);
    if (entries->copy != NULL) {
        LLVMDeleteFunction(entries->copy);
    }
}

static void describe_block_entry(struct lower_kernel *source, const struct entries *entries)
{
    const struct simd_kernel *kernel = &entries->kernel;
    source->block.runs_ranges = kernel->traits.range != RANGE_ONE;
    source->block.is_brief = is_brief(kernel);
    source->block.never_waits = never_waits(kernel);
    source->block.has_large_locals = entries->local > SIMD_MOST_LOCAL;
    /* What waits cannot be measured. */
    source->block.is_unsure =
        !kernel->traits.waits && simd_is_unsure(entries->versions.items[0].plan);
}

void simd_make_entries(const struct simd_kernel *kernel, struct lower_kernel *source,
                       const struct simd_launches *launches, const struct simd_budget *budget)
{
    struct entries any = {.local = 0}, unit = {.local = 0};
    struct simd_alternative alternatives[2];
    size_t count = 0;
    struct simd_kernel with_units;
    change_kernel(&any, kernel);
    make_versions(&any, launches, budget);
    if (any.versions.count == 0) {
        simd_explain_refusal(&any.kernel, any.refusal, any.blamed);
        delete_functions(&any);
        return;
    }
    describe_block_entry(source, &any);
    simd_explain_versions(&any.kernel, &any.versions, &any.general);
    bool has_units = !any.general.options.keeps_one && build_with_unit_strides(kernel, &with_units);
    if (has_units) {
        change_kernel(&unit, &with_units);
        make_versions(&unit, launches, budget);
    }
    if (unit.versions.count != 0) {
        source->block.has_large_locals |= unit.local > SIMD_MOST_LOCAL;
        alternatives[count++] = (struct simd_alternative){&unit.kernel, &unit.versions};
        simd_explain_unit_strides(&unit.kernel, unit.kernel.conditions.unit_strides,
                                  unit.kernel.conditions.unit_stride_count, &unit.versions);
    }
    alternatives[count++] = (struct simd_alternative){&any.kernel, &any.versions};
    source->block.entry = simd_build_dispatch(alternatives, count);
    delete_functions(&any);
    delete_functions(&unit);
    if (has_units) {
        LLVMDeleteFunction(with_units.function);
    }
}
