/* Loads that are hoisted out of the chunk loops. */
#ifndef CDPCC_SIMD_PLAN_HOIST_H
#define CDPCC_SIMD_PLAN_HOIST_H

#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_early_value;
struct simd_facts;
struct simd_region;

enum { SIMD_MOST_GUARDS = 4 };

/* A uniform branch that must take this edge for the load to run. */
struct simd_guard {
    unsigned node, edge;
    const struct simd_early_value *condition; /* set in the region's list */
};
/* The guards of one load.  All must hold for the load to run. */
struct simd_guards {
    struct simd_guard items[SIMD_MOST_GUARDS]; /* from the innermost to the outermost */
    unsigned count;
};

/* A load that runs once, before the chunks, if its guards hold. */
struct simd_hoist {
    LLVMValueRef load;
    const struct simd_early_value *address;
    struct simd_guards guards;
};

/* Decides which loads of the region at uniform addresses are hoisted, and which ones the kernel's
 * facts mark as clobbered. True: some are newly marked, so shapes change.
 * The region's `hoisted` and `promoted` must be allocated. Kernels without barriers have no
 * hoisted loads. */
bool simd_find_hoisted(struct simd_facts *facts, struct simd_region *region);
/* Lists the hoisted loads with their guards, in order, and marks the values that are available
 * before the chunks.
 * Called once, when the facts do not change any more. */
void simd_list_hoisted(struct simd_region *region);

#endif
