/* The versions of a kernel's block entry: for block sizes that launches use, and for others. */
#ifndef CDPCC_SIMD_VERSIONS_H
#define CDPCC_SIMD_VERSIONS_H
#include "simd/analysis/launch_sizes.h"
#include "simd/emit/function.h"
#include "simd/ir/variant.h"
#include "simd/plan/plan.h"

struct lower_kernel;
struct simd_launches;
struct simd_plan;

/* An entry, and the blocks that it runs. */
struct simd_version {
    struct simd_size size; /* all zero: any size of the layout */
    /* the threads that run: the same, with x and y exchanged if it is transposed, or one row */
    struct simd_size rows;
    bool is_transposed;
    enum simd_layout layout;
    struct simd_options options;
    const struct simd_plan *plan;
    LLVMValueRef clone; /* the kernel's function for a known size, or NULL; the plan refers to it */
    struct simd_entry entry; /* its function is NULL if the version was refused */
    const char *refusal;
};

/* The versions of one kernel that were emitted. */
struct simd_versions {
    struct simd_version items[SIMD_MOST_SIZES + 2]; /* the general ones last */
    unsigned count;
};

/* The number of threads of a block whose slots fit on the stack. */
uint64_t simd_most_threads(const struct simd_plan *plan);
/* All launches are of blocks with so few threads that thread entries run them in any case. */
bool simd_is_always_tiny(const struct simd_launches *launches, const struct lower_kernel *kernel);
/* The unit has no launch of it, and no other unit can have one. */
bool simd_is_never_launched(const struct simd_launches *launches,
                            const struct lower_kernel *kernel);
/* Emits the versions.  Those for known sizes come first, as the dispatcher takes the first that
 * suits.  `general` has the layout and options of the general version; if it has no entry, its
 * refusal is the reason.  Then the last version may be one for blocks of one row. */
void simd_make_versions(const struct simd_kernel *kernel, struct simd_versions *versions,
                        const struct simd_launches *launches, struct simd_version *general);
/* Called when the plans are no longer used. */
void simd_delete_clones(struct simd_versions *versions);

#endif
