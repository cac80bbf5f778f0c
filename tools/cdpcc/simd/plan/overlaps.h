/* Stores that are delayed past loads of other arrays. */
#ifndef CDPCC_SIMD_PLAN_OVERLAPS_H
#define CDPCC_SIMD_PLAN_OVERLAPS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simd_graph;
struct simd_group;
struct simd_kernel;

/* Two pointers among the kernel's parameters. All-active chunks may run only if these are at least
 * `bytes` apart, or equal. */
struct simd_overlap {
    int64_t first, second; /* their offsets in the parameter buffer */
    int64_t bytes;
    bool may_be_equal;
};

/* The tests of a path, each once, and the groups of stores that need them or none. In the arena. */
struct simd_overlaps {
    struct simd_overlap *items;
    size_t count;
    const struct simd_group **groups; /* by value number of the first store */
    bool *delayed;                    /* by value number: stores of a group but the last one */
};

/* Whether a thread's store may be delayed past its own load: never; since both access different
 * memory; or if a test of two pointers holds. */
enum simd_passing { PASSES_NOT, PASSES, PASSES_IF_TESTED };
/* `bytes` is the size of the stored structure. A test is added to `overlaps`; NULL: there are no
 * tests. */
enum simd_passing simd_passes_load(const struct simd_kernel *kernel, LLVMValueRef store,
                                   LLVMValueRef load, int64_t bytes,
                                   struct simd_overlaps *overlaps);
/* The graph's interleave groups of stores, of which no two have a store in common. */
struct simd_overlaps simd_find_overlaps(const struct simd_graph *graph);

#endif
