/* Which versions a kernel has.
 *
 * Each of the first two block sizes that launches use has a version, and there are one or two
 * general versions.  In a unit with many kernels, and in a long kernel, a general version that no
 * launch of the unit can reach gets less compile time, or is left out.
 *
 * The general version of a kernel that reads threadIdx.x only is "one_row"; with .y or .z there are
 * "rows" and "any". Known sizes are "fixed1" and "fixed2". These prefixes are parts of the
 * functions' names, after "unit_" if parameters are assumed to be 1.
 *
 * Making one version is the whole chain: clone, nodes, plan, check, emission, LLVM's verifier. The
 * code of a refused version is deleted. */
#include "simd/versions.h"

#include "abi/cdp_abi.h"
#include "ir/options.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/launch_sizes.h"
#include "simd/analysis/layout.h"
#include "simd/analysis/rows.h"
#include "simd/analysis/shape_analysis.h"
#include "simd/emit/function.h"
#include "simd/emit/metadata.h"
#include "simd/explain.h"
#include "simd/ir/clone.h"
#include "simd/ir/kernel.h"
#include "simd/ir/lanes.h"
#include "simd/ir/region_cfg.h"
#include "simd/ir/settings.h"
#include "simd/ir/variant.h"
#include "simd/ir/vectors.h"
#include "simd/plan/cost.h"
#include "simd/plan/plan.h"
#include "simd/plan/slots.h"
#include "simd/plan/valid.h"
#include "simd/plan/width.h"
#include "support/arena.h"
#include "support/str.h"
#include "support/timing.h"

#include <llvm-c/Analysis.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1024 };
/* From this number on, compile time matters more than the speed of entries that rarely run. */
enum { MANY_KERNELS = 4, LONG_KERNEL = 1000 };

/* The number of threads of a block whose slots fit on the stack. */
uint64_t simd_most_threads(const struct simd_plan *plan)
{
    return plan->thread_bytes == 0 ? MOST_THREADS : SIMD_MOST_STACK / plan->thread_bytes;
}

/* If LLVM's verifier rejects the function, this vectorizer has a defect; then the kernel has no
 * such version. */
static bool is_sound(const struct simd_entry *entry)
{
    LLVMVerifierFailureAction action =
        simd_setting_verifies() ? LLVMPrintMessageAction : LLVMReturnStatusAction;
    return !LLVMVerifyFunction(entry->function, action);
}

/* ---- one version ---- */

/* The kernel for the version.  Its nodes and values are those of the given kernel, or those of a
 * clone in which the block's size is known.
 * Traits are those of the given kernel: a constant size does not change them. */
static struct simd_kernel *kernel_for(const struct simd_kernel *kernel,
                                      const struct simd_version *version)
{
    struct simd_kernel *result = arena_alloc(sizeof *result);
    LLVMValueRef blamed;
    *result = *kernel;
    if (version->size.x != 0 || version->is_transposed) {
        *result = (struct simd_kernel){
            .lower = kernel->lower,
            .source = kernel->source,
            .callees = kernel->callees,
            .function = simd_clone_for_size(kernel, &version->size, version->is_transposed),
            .nontemporal = kernel->nontemporal,
            .nontemporal_bytes = kernel->nontemporal_bytes};
        simd_kernel_build(result, &blamed);
        result->traits = kernel->traits;
    }
    result->variant =
        (struct simd_variant){.layout = version->layout,
                              .size = version->size.x == 0 ? NULL : &version->rows,
                              .lanes = version->options.lanes,
                              .is_transposed = version->is_transposed,
                              .has_unit_strides = kernel->conditions.unit_stride_count != 0};
    return result;
}

/* Debug builds check each plan; others if CDPCC_VERIFY=1. */
static void check_plan(const struct simd_plan *plan)
{
#ifdef CDP_DEBUG
    bool is_wanted = true;
#else
    bool is_wanted = simd_setting_verifies();
#endif
    if (is_wanted && !simd_plan_is_valid(plan)) {
        abort();
    }
}

static void print_for_tests(const struct simd_version *version)
{
    const struct simd_plan *plan = version->plan;
    enum lower_print what = plan->kernel->lower->options->print;
    if (what != PRINT_NOTHING && plan->refusal != NULL) {
        printf("refused: %s\n", plan->refusal);
    } else if (what == PRINT_SHAPES) {
        simd_print_shapes(stdout, plan->kernel);
    } else if (what == PRINT_REGIONS) {
        simd_print_regions(stdout, plan);
    } else if (what == PRINT_PLAN) {
        simd_explain_plan(stdout, plan, false);
    }
}

static void time_version(LLVMValueRef function, int64_t begun)
{
    if (timing_is_on()) {
        LLVMBasicBlockRef first = LLVMGetFirstBasicBlock(function);
        timing_add_since(TIMING_VERSION, "versions", lower_name(function), begun);
        timing_add(TIMING_VERSION, "instructions", lower_name(function),
                   simd_count_instructions(first));
    }
}

/* Instructions of a version for any size, in a unit with much code.  Such kernels are mostly
 * instances of a library's templates, for a case that the program does not have. Code generation
 * takes a second for each 20,000. */
enum { MOST_OF_ONE = 30000 };

static void delete_entry(struct simd_version *version, const char *why)
{
    version->refusal = why;
    LLVMDeleteFunction(version->entry.function);
    version->entry.function = NULL;
}

static bool is_too_long(const struct simd_kernel *kernel, const struct simd_version *version)
{
    LLVMBasicBlockRef first = LLVMGetFirstBasicBlock(version->entry.function);
    return version->options.keeps_one && kernel->variant.size == NULL &&
           simd_count_instructions(first) > MOST_OF_ONE;
}

/* The version's address must not change from here on, since its kernel refers to it.
 * Sets the version's refusal, or its entry. */
static void try_version(const struct simd_kernel *given, struct simd_version *version)
{
    int64_t begun = timing_now();
    struct simd_kernel *kernel = kernel_for(given, version);
    version->clone = kernel->function == given->function ? NULL : kernel->function;
    version->plan = simd_plan_make(kernel, &version->options);
    version->refusal = version->plan->refusal;
    print_for_tests(version);
    check_plan(version->plan);
    if (version->refusal == NULL) {
        version->entry = simd_emit_plan(version->plan);
        time_version(version->entry.function, begun);
        if (!is_sound(&version->entry)) {
            delete_entry(version, "internal error: LLVM's verifier rejects its code");
        } else if (is_too_long(kernel, version)) {
            delete_entry(version, "its code would be long, and the unit has much of it");
        }
    }
}

void simd_delete_clones(struct simd_versions *versions)
{
    for (unsigned i = 0; i < versions->count; i++) {
        if (versions->items[i].clone != NULL) {
            LLVMDeleteFunction(versions->items[i].clone);
        }
    }
}

/* ---- which versions ---- */

/* Half the vectors side by side, or the same number if half is not possible. */
static unsigned fewer_vectors(const struct simd_kernel *kernel, const struct simd_version *version)
{
    unsigned least = kernel->traits.has_warps ? SIMD_WARP / version->options.lanes : 1;
    unsigned half = version->options.vectors / 2;
    return half >= least && half % least == 0 ? half : version->options.vectors;
}

static unsigned fewest_vectors(const struct simd_kernel *kernel, const struct simd_version *version)
{
    struct simd_version narrower = *version;
    unsigned fewer;
    while ((fewer = fewer_vectors(kernel, &narrower)) != narrower.options.vectors) {
        narrower.options.vectors = fewer;
    }
    return narrower.options.vectors;
}

static unsigned vectors_for(unsigned threads, unsigned lanes)
{
    return (threads + lanes - 1) / lanes;
}

/* A vector is within a row, so narrow rows get narrow vectors.  Rows that are not a multiple of a
 * wide vector also get narrow vectors, if that takes at most half as many vectors again.  Otherwise
 * each row is padded.  That takes registers, and masks, which are constants where chunks are whole
 * rows.  False: no vector fits. */
static bool fit_rows(const struct simd_kernel *kernel, struct simd_version *version)
{
    unsigned x = version->rows.x, wide = version->options.lanes, lanes = wide;
    if (kernel->traits.has_warps) { /* vectors stay wide: a warp is a few of them */
        version->layout = x % lanes == 0 ? LAYOUT_ROWS : LAYOUT_ANY;
        return true;
    }
    while (lanes > SIMD_FEWEST_LANES && x % lanes != 0) {
        lanes /= 2;
    }
    while (wide > SIMD_FEWEST_LANES && wide / 2 >= x) {
        wide /= 2;
    }
    unsigned padded = vectors_for(x, wide), exact = vectors_for(x, lanes);
    unsigned vectors = padded == 1 ? 2 : padded;
    bool is_exact = x % lanes == 0 && 2 * exact <= 3 * padded;
    if (is_exact || padded * wide > SIMD_MOST_PADDING * x || vectors > SIMD_MOST_VECTORS ||
        simd_local_bytes(kernel, wide * vectors) > SIMD_MOST_LOCAL) {
        version->options.lanes = lanes;
        return x % lanes == 0;
    }
    version->layout = LAYOUT_PADDED;
    version->options.lanes = wide;
    version->options.vectors = vectors;
    return true;
}

/* A chunk is no larger than the block.  Blocks that fill larger chunks get more vectors than
 * others.  False: none fits. */
static bool fit_size(const struct simd_kernel *kernel, struct simd_version *version)
{
    const struct simd_size *size = &version->rows;
    unsigned threads = size->x * size->y * size->z;
    unsigned usual = version->options.vectors;
    version->layout = size->y * size->z == 1 ? LAYOUT_ONE_ROW : LAYOUT_ROWS;
    bool fits = version->layout == LAYOUT_ONE_ROW || fit_rows(kernel, version);
    if (version->layout == LAYOUT_PADDED) {
        return threads >= CDP_ABI_FEWEST_AT_ONCE;
    }
    version->options.vectors = version->options.vectors_of_size;
    for (;;) {
        unsigned chunk = version->options.lanes * version->options.vectors;
        bool is_too_wide = version->options.vectors > usual && threads % chunk != 0;
        unsigned fewer = fewer_vectors(kernel, version);
        if (fewer == version->options.vectors || (chunk / 2 < threads && !is_too_wide)) {
            break;
        }
        version->options.vectors = fewer;
    }
    return threads >= CDP_ABI_FEWEST_AT_ONCE && fits;
}

/* If all rows do the same, only the first one runs. */
static struct simd_version version_for(const struct simd_kernel *kernel,
                                       const struct simd_size *size,
                                       const struct simd_options *options, bool is_transposed)
{
    struct simd_size rows = *size;
    if (is_transposed) {
        rows = (struct simd_size){size->y, size->x, size->z};
    } else if (size->x >= CDP_ABI_FEWEST_AT_ONCE && simd_rows_are_copies(kernel)) {
        rows = (struct simd_size){size->x, 1, 1};
    }
    return (struct simd_version){
        .size = *size, .rows = rows, .options = *options, .is_transposed = is_transposed};
}

static uint64_t cost_of(const struct simd_kernel *given, const struct simd_version *version)
{
    struct simd_kernel *kernel = kernel_for(given, version);
    struct simd_facts *facts = simd_facts_new(kernel);
    kernel->facts = facts;
    simd_shapes(kernel, facts);
    uint64_t cost = simd_access_cost(kernel);
    if (kernel->function != given->function) {
        LLVMDeleteFunction(kernel->function);
    }
    return cost;
}

/* Accesses cost less than half as much if lanes go along threadIdx.y. */
static bool is_better(const struct simd_kernel *kernel, const struct simd_version *transposed,
                      const struct simd_version *usual)
{
    return simd_setting_along_y() || 2 * cost_of(kernel, transposed) < cost_of(kernel, usual);
}

/* Emits the version. False: it was refused, and nothing of it is left. */
static bool emit_version(const struct simd_kernel *kernel, struct simd_version *version)
{
    try_version(kernel, version);
    if (version->entry.function == NULL && version->clone != NULL) {
        LLVMDeleteFunction(version->clone);
    }
    return version->entry.function != NULL;
}

/* The same for the transposed version, in place of the usual one, which stays if it is refused. */
static bool emit_transposed(const struct simd_kernel *kernel, struct simd_version *version,
                            const struct simd_version *transposed)
{
    const struct simd_version usual = *version;
    *version = *transposed;
    if (emit_version(kernel, version)) {
        return true;
    }
    *version = usual;
    return false;
}

static const char *prefix_for(const struct simd_kernel *kernel, const char *name)
{
    return kernel->conditions.unit_stride_count != 0 ? str_format("unit_%s", name) : name;
}

/* Lanes go along threadIdx.y if that is much better, or if the block's rows are too short. A
 * version that is refused does not count: the next size may have a version instead. */
static void make_fixed(const struct simd_kernel *kernel, struct simd_versions *versions,
                       const struct simd_launches *launches, struct simd_options options)
{
    static const char *const names[SIMD_MOST_SIZES] = {"fixed1", "fixed2"};
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel->source->name, sizes);
    bool may_be_transposed = simd_may_be_transposed(kernel);
    for (unsigned i = 0; i < count; i++) {
        struct simd_version *version = &versions->items[versions->count];
        options.prefix = prefix_for(kernel, names[i]);
        *version = version_for(kernel, &sizes[i], &options, false);
        struct simd_version other = version_for(kernel, &sizes[i], &options, true);
        bool fits = fit_size(kernel, version);
        bool is_transposed = may_be_transposed && sizes[i].y > 1 && fit_size(kernel, &other) &&
                             (!fits || is_better(kernel, &other, version));
        if ((is_transposed && emit_transposed(kernel, version, &other)) ||
            (fits && emit_version(kernel, version))) {
            versions->count++;
        }
    }
}

static bool is_for_threads(const struct simd_size *size)
{
    return size->x * size->y * size->z < CDP_ABI_FEWEST_AT_ONCE;
}

/* The general entries run only if other units also launch the kernel. */
static bool is_general_cold(const struct simd_kernel *kernel, const struct simd_launches *launches,
                            const struct simd_options *options)
{
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel->source->name, sizes);
    for (unsigned i = 0; i < count; i++) {
        struct simd_version version = version_for(kernel, &sizes[i], options, false);
        if (!is_for_threads(&sizes[i]) && !fit_size(kernel, &version)) {
            return false;
        }
    }
    return simd_launches_are_known(launches, kernel->source->name);
}

/* A kernel that is static, or in an unnamed namespace: clang gives it a name that no other unit
 * has. */
static bool is_local(const struct lower_kernel *kernel)
{
    return strstr(kernel->name, "__intern__") != NULL || strstr(kernel->name, "__static__") != NULL;
}

/* All launched sizes have entries, and it is certain which unit's kernel a launch runs.  It is
 * uncertain if each unit that uses a template has the kernel (comdat). */
static bool is_general_unused(const struct simd_kernel *kernel,
                              const struct simd_versions *versions,
                              const struct simd_launches *launches)
{
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel->source->name, sizes), wanted = 0;
    for (unsigned i = 0; i < count; i++) {
        wanted += !is_for_threads(&sizes[i]);
    }
    return versions->count == wanted &&
           (kernel->source->comdat == NULL || is_local(kernel->source));
}

/* A block of so few threads always runs by thread entries. */
bool simd_is_always_tiny(const struct simd_launches *launches, const struct lower_kernel *kernel)
{
    struct simd_size sizes[SIMD_MOST_SIZES];
    unsigned count = simd_launches_of(launches, kernel->name, sizes);
    bool is_tiny = simd_launches_are_known(launches, kernel->name) &&
                   (kernel->comdat == NULL || is_local(kernel));
    for (unsigned i = 0; i < count; i++) {
        is_tiny = is_tiny && is_for_threads(&sizes[i]);
    }
    return is_tiny;
}

bool simd_is_never_launched(const struct simd_launches *launches, const struct lower_kernel *kernel)
{
    bool is_launched = !launches->has_host || !is_local(kernel);
    for (size_t i = 0; i < launches->count && !is_launched; i++) {
        const struct simd_launch *launch = &launches->items[i];
        is_launched = !launch->is_bound && strcmp(launch->kernel, kernel->name) == 0;
    }
    return !is_launched;
}

static const char *prefix_of(const struct simd_kernel *kernel, enum simd_layout layout)
{
    return prefix_for(kernel, layout == LAYOUT_ONE_ROW ? "one_row"
                              : layout == LAYOUT_ROWS  ? "rows"
                                                       : "any");
}

/* One more version for blocks of any size of a layout; the last of all. */
static void make_last(const struct simd_kernel *kernel, struct simd_versions *versions,
                      enum simd_layout layout, const struct simd_options *options)
{
    struct simd_version *version = &versions->items[versions->count];
    *version = (struct simd_version){.layout = layout, .options = *options};
    version->options.prefix = prefix_of(kernel, layout);
    try_version(kernel, version);
    versions->count += version->entry.function != NULL;
}

static bool has_many_kernels(const struct lower_context *lower)
{
    unsigned count = 0;
    for (size_t i = 0; i < lower->kernel_count; i++) {
        count += lower->kernels[i].is_defined;
    }
    return count >= MANY_KERNELS;
}

/* Narrower chunks, and one general version for all layouts. */
static void save_code(const struct simd_kernel *kernel, struct simd_version *general)
{
    general->options.vectors = fewest_vectors(kernel, general);
    general->options.vectors_of_size = general->options.vectors;
    general->layout = kernel->traits.uses_rows ? LAYOUT_ANY : general->layout;
}

/* Emits the general version. With lanes along threadIdx.y it has few lanes, since blocks rarely
 * have many values of threadIdx.y. */
static void make_general(const struct simd_kernel *kernel, struct simd_version *general)
{
    enum { LANES = 8 };
    struct simd_version other = *general;
    other.is_transposed = true;
    other.options.lanes = other.options.lanes < LANES ? other.options.lanes : LANES;
    bool is_transposed = general->layout == LAYOUT_ROWS && simd_may_be_transposed(kernel) &&
                         is_better(kernel, &other, general);
    if (!is_transposed || !emit_transposed(kernel, general, &other)) {
        try_version(kernel, general);
    }
}

/* In a unit with much code: the version for the only size that launches have, or a general one. */
static void make_one(const struct simd_kernel *kernel, struct simd_versions *versions,
                     const struct simd_launches *launches, struct simd_version *general)
{
    struct simd_size sizes[SIMD_MOST_SIZES];
    bool is_known = simd_launches_are_known(launches, kernel->source->name) &&
                    simd_launches_of(launches, kernel->source->name, sizes) == 1;
    if (is_known) {
        make_fixed(kernel, versions, launches, general->options);
    }
    if (versions->count == 0) {
        general->layout = kernel->traits.uses_rows ? LAYOUT_ANY : general->layout;
        general->options.prefix = prefix_of(kernel, general->layout);
        try_version(kernel, general);
    }
    if (general->entry.function != NULL) {
        versions->items[versions->count++] = *general;
    }
}

/* Versions for known sizes come first, since the dispatcher takes the first that suits.
 * A general version for rows that are whole vectors is followed by one for others.  If it is
 * refused, there may be one for blocks of one row: there threadIdx.x / 32 is the warp's number, and
 * threadIdx.y is uniform.  Blocks of several rows then run by thread entries. */
void simd_make_versions(const struct simd_kernel *kernel, struct simd_versions *versions,
                        const struct simd_launches *launches, struct simd_version *general)
{
    bool saves_time = has_many_kernels(kernel->lower) || kernel->value_count > LONG_KERNEL;
    bool is_cold = saves_time && is_general_cold(kernel, launches, &general->options);
    bool is_large = simd_has_many_tests(kernel);
    if (is_large) {
        save_code(kernel, general);
    }
    if (general->options.keeps_one) {
        make_one(kernel, versions, launches, general);
        return;
    }
    make_fixed(kernel, versions, launches, general->options);
    if (is_cold && is_general_unused(kernel, versions, launches)) {
        return;
    }
    general->options.is_cold = is_cold;
    general->options.vectors = is_cold ? fewest_vectors(kernel, general) : general->options.vectors;
    general->options.prefix = prefix_of(kernel, general->layout);
    const struct simd_options options = general->options;
    make_general(kernel, general);
    if (general->entry.function != NULL) {
        versions->items[versions->count++] = *general;
    }
    if (general->entry.function == NULL && kernel->traits.uses_rows) {
        make_last(kernel, versions, LAYOUT_ONE_ROW, &options);
    }
    if (general->entry.function != NULL && general->layout == LAYOUT_ROWS && !is_cold) {
        make_last(kernel, versions, LAYOUT_ANY, &options);
    }
}
