/* The plan of a version: every decision that emission follows.
 *
 *   simd_plan       a version of a kernel
 *     simd_region   the code between two barriers
 *       simd_path   the loops over the region's chunks: one path, or two if the region's uniform
 * exit is tested before the chunks
 *
 * Planning reads the kernel and its facts, and emits nothing.  Emission reads the plan. */
#ifndef CDPCC_SIMD_PLAN_PLAN_H
#define CDPCC_SIMD_PLAN_PLAN_H
#include "simd/ir/kernel.h"
#include "simd/plan/fault_context.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_access;
struct simd_graph;
struct simd_hoist;
struct simd_loop_plan;
struct simd_plan;

/* How many threads the entry runs at a time. */
struct simd_options {
    unsigned lanes, vectors;
    unsigned vectors_of_size; /* at most, where the block's size is known and fills them */
    bool in_halves;           /* a vector lies in two registers of half the width */
    bool is_cold;             /* the entry hardly ever runs */
    const char *prefix;       /* of the function's name */
};

/* How the chunks of a path run. */
enum simd_chunk_form {
    CHUNKS_SPLIT, /* a loop without masks for chunks whose lanes are all active; a masked loop for
                   * the chunks from the first on that does not go the all-active way */
    CHUNKS_MIXED, /* one loop that tests each chunk's mask, and has both versions in it */
};

/* The code that runs a chunk: without masks for a chunk whose lanes are all active, or under masks.
 */
struct simd_version_plan {
    const struct simd_graph *graph;
    const struct simd_loop_plan *loops;    /* by number of the graph's loop */
    const struct simd_access *accesses[2]; /* by value number: where all lanes are active; masked */
};

/* The loops over the chunks of a region, for one way that control takes through it. */
struct simd_path {
    const struct simd_region *region;
    const struct simd_graph *graph;
    const struct simd_graph
        *all_active; /* without edges that hardly any lane takes; may be `graph` */
    enum simd_chunk_form form;
    bool has_rest;                        /* SPLIT: there is a masked loop */
    unsigned vectors, masked_vectors;     /* side by side, in the two versions */
    struct simd_version_plan versions[2]; /* all-active, masked */
    /* By node of `all_active`: nothing has been stored before, so a chunk may restart under masks.
     * NULL: nowhere. */
    const bool *restarts;
    int early_exit; /* the node whose branch says that later chunks have nothing to do; -1: none */
    int target;     /* the region that follows, or SIMD_DONE; of a uniform exit's paths only */
};

enum { SIMD_DONE = -1 };

/* The code between two barriers.  Arrays are by value number. */
struct simd_region {
    const struct simd_plan *plan;
    unsigned number; /* of the region */
    unsigned entry;  /* its first node */
    const struct simd_graph *graph;
    bool *live;                /* defined in an earlier region and used here */
    bool *mixed;               /* promoted live-ins: live, and defined again here */
    bool *hoisted;             /* loads that are made once, before the chunks */
    struct simd_hoist *hoists; /* of these, in order */
    size_t hoist_count;
    bool *at_start; /* known before the chunks */
    bool *in_chunk; /* known when a chunk starts */
    struct simd_publishing publishing;
    int uniform_exit; /* the node whose branch is tested before the chunks; -1: none */
    struct simd_path paths[2];
    unsigned path_count;
};

/* One for each version, in the arena; const for emission. */
struct simd_plan {
    const struct simd_kernel *kernel; /* with the facts that the plan is made from */
    struct simd_options options;
    struct simd_region *regions;
    size_t region_count;
    int *region_of;                          /* by node: the region that starts there, or -1 */
    bool *has_slot;                          /* by value number */
    unsigned slots;                          /* how many values have one */
    uint64_t thread_bytes;                   /* of stack, for each thread of the block */
    const struct simd_access *recomputed[2]; /* loads outside of paths: all lanes active; masked */
    bool has_errors;     /* calls may set a thread's last error: each thread has its own */
    bool needs_alive;    /* threads may have ended before a region that others reach */
    bool takes_range;    /* a call runs several blocks */
    bool is_tree;        /* chunk loops become straight code around a short loop (plan/unroll.c) */
    const char *refusal; /* the version cannot be; NULL: it can */
    LLVMValueRef blamed; /* the instruction that the refusal is about; may be NULL */
};

/* The kernel is the version's own; it gets its facts here, and is const afterwards. */
struct simd_plan *simd_plan_make(struct simd_kernel *kernel, const struct simd_options *options);

/* No chunk has lanes that are no threads, or have ended. */
bool simd_is_always_whole(const struct simd_plan *plan, unsigned vectors);

#endif
