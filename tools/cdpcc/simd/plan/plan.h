/* The plan of a version: every decision that emission follows.
 *   simd_plan    a version of a kernel
 *   simd_region  the code between two barriers
 *   simd_path    the loops over the region's chunks: one path, or two if the region's uniform exit
 *                is tested before the chunks
 *
 * Planning reads the kernel and its facts, and emits nothing.  Emission reads the plan. */
#ifndef CDPCC_SIMD_PLAN_PLAN_H
#define CDPCC_SIMD_PLAN_PLAN_H
#include "simd/plan/atomics.h"
#include "simd/plan/calls.h"
#include "simd/plan/fault_context.h"
#include "simd/plan/followers.h"
#include "simd/plan/overlaps.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_access;
struct simd_early_value;
struct simd_graph;
struct simd_hoist;
struct simd_kernel;
struct simd_loop_plan;
struct simd_plan;
struct simd_vector_function;

/* How many threads the entry runs together.
 * Life: chosen once for each version (plan/width.c, versions.c); const afterwards. */
struct simd_options {
    unsigned lanes, vectors;
    unsigned vectors_of_size; /* at most, if the block's size is known and its threads fill them */
    bool in_halves;           /* a vector occupies two registers of half the width */
    bool is_cold;             /* the entry runs rarely */
    bool keeps_one;           /* the unit has so much code that a kernel has only one version */
    unsigned most_straight;   /* a limit of the plan's number of this name, by the unit */
    const char *prefix;       /* of the function's name */
};

/* How the chunks of a path run. */
enum simd_chunk_form {
    CHUNKS_ALL_ACTIVE, /* an all-active loop: no chunk has other lanes */
    CHUNKS_SPLIT,  /* an all-active loop for the first chunks; then a masked loop, from the first
                      chunk on that cannot run in the all-active version */
    CHUNKS_MASKED, /* a masked loop: no chunk has active lanes only */
    CHUNKS_TESTED, /* one loop that tests each chunk's mask and contains both versions */
};

/* Whether the loop over a path's chunks becomes straight code. */
enum simd_unroll {
    UNROLL_BY_LLVM, /* LLVM decides */
    UNROLL_NEVER,
    UNROLL_IF_SHORT, /* if it has at most as many instructions as the plan allows */
};

/* The code that runs a chunk: all-active, without masks; or masked, for any chunk.
 * Always holds: the arrays of accesses and of atomics have a record for each value number, and
 * `loops` one for each loop of `graph`. */
struct simd_version_plan {
    const struct simd_graph *graph;
    const struct simd_loop_plan *loops; /* by number of the graph's loop */
    /* By value number: for chunks whose lanes are all active; and masked. */
    const struct simd_access *accesses[2];
    const enum simd_atomic_kind *atomics[2];
    const unsigned *costs; /* by node: plan/skip.h */
    /* Masked: the node whose branch decides that later chunks have nothing to do; -1: none. */
    int early_exit;
    /* All lanes of all chunks are threads that have not ended, so masks are constants. */
    bool is_whole;
};

/* The loops over the chunks of a region, for one path that control takes through it. */
struct simd_path {
    const struct simd_region *region;
    const struct simd_graph *graph;
    /* The graph without edges that lanes take rarely; may be `graph`. */
    const struct simd_graph *all_active;
    enum simd_chunk_form form;
    /* Of the loop that contains the all-active version; the masked loop of CHUNKS_SPLIT and
     * CHUNKS_MASKED stays as LLVM leaves it. */
    enum simd_unroll unroll;
    unsigned vectors, masked_vectors; /* side by side, in the all-active and the masked version */
    /* All-active, masked. One that the form does not run has no graph and no plan. */
    struct simd_version_plan versions[2];
    /* By node of `all_active`: nothing has been stored before the node, so a chunk may restart
     * under masks.  NULL: nowhere. */
    const bool *restarts;
    /* If one of these tests fails, all chunks are masked. Not for CHUNKS_ALL_ACTIVE. */
    struct simd_overlaps overlaps;
    int target; /* the region that follows, or SIMD_DONE; only for paths of a uniform exit */
};

enum { SIMD_DONE = -1 };

/* The code between two barriers.  Arrays are indexed by value number.
 *
 * Owner: the plan, in the arena. */
struct simd_region {
    const struct simd_plan *plan;
    unsigned number; /* index in the plan's regions */
    unsigned entry;  /* its first node */
    const struct simd_graph *graph;
    bool *live;                /* defined in an earlier region and used here */
    bool *promoted;            /* promoted live-ins: live, and defined again here */
    bool *hoisted;             /* loads that are emitted once, before the chunks */
    struct simd_hoist *hoists; /* the hoisted loads, in order */
    size_t hoist_count;
    bool *at_start; /* available before the chunks */
    bool *in_chunk; /* available when a chunk starts */
    struct simd_publishing publishing;
    LLVMValueRef vote; /* the barrier before the region, if the votes at it are used; or NULL */
    struct simd_followers followers;
    int uniform_exit; /* the node whose branch is tested before the chunks; -1: none */
    const struct simd_early_value *exit_condition; /* of the uniform exit, or NULL */
    struct simd_path paths[2];
    unsigned path_count;
};

/* The plan of one version.
 *
 * Life: in the arena; simd_plan_make() writes it, and it is const for emission.
 *
 * Always holds: what plan/valid.c checks. */
struct simd_plan {
    const struct simd_kernel *kernel; /* with the facts from which the plan is made */
    struct simd_options options;
    struct simd_region *regions;
    size_t region_count;
    int *region_of;        /* by node: the region that starts there, or -1 */
    bool *has_slot;        /* by value number */
    unsigned slots;        /* how many values have a slot */
    uint64_t thread_bytes; /* of stack, for each thread of the block */
    /* Loads outside of paths: for all lanes active; and masked. */
    const struct simd_access *recomputed[2];
    const enum simd_call_kind *calls;              /* by value number */
    struct simd_vector_function *const *functions; /* by value number: of CALL_FUNCTION */
    bool has_errors;  /* calls may set a thread's last error, so each thread has its own */
    bool needs_alive; /* threads may end before a region that others reach */
    bool takes_range; /* a call runs several blocks */
    bool is_tree;     /* chunk loops become straight code around a short loop (plan/unroll.c) */
    unsigned most_straight; /* instructions of the straight code for all chunks, before LLVM */
    const char *refusal;    /* why the version cannot be emitted; NULL: it can */
    LLVMValueRef blamed;    /* the instruction that causes the refusal; may be NULL */
};

/* The kernel must be the version's own: it gets its facts here, and is const afterwards. */
struct simd_plan *simd_plan_make(struct simd_kernel *kernel, const struct simd_options *options);

#endif
