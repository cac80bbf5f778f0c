/* The state of emission: values, edges, and the function being emitted. */
#ifndef CDPCC_SIMD_EMIT_EMIT_H
#define CDPCC_SIMD_EMIT_EMIT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

#include "simd/ir/vectors.h"

struct simd_graph;
struct simd_kernel;
struct simd_path;
struct simd_plan;
struct simd_region;
struct simd_shape;
struct simd_version_plan;
struct lower_context;

enum { SIMD_SCRATCH_ALIGN = 64 };

/* A value for the lanes of a chunk. Its shape decides which fields are used.
 * What holds, by shape: uniform values have scalar[0]; values of warps, of vectors and affine ones
 * have scalar[] for each vector; varying ones have vector[]. An affine value with a check has
 * both. */
struct simd_value {
    const struct simd_shape *shape;
    LLVMValueRef scalar[SIMD_MOST_VECTORS]; /* lane 0 of each vector; uniform: [0] only */
    LLVMValueRef vector[SIMD_MOST_VECTORS]; /* varying values, or affine ones with a check */
    LLVMValueRef holds[SIMD_MOST_VECTORS];  /* i1: the check */
    /* i1: the check, if all lanes use the value, since flags promise the rest then.  NULL: flags
     * promise all of it, or it was tested before the loop (plan/versioning.c). */
    LLVMValueRef holds_for_all[SIMD_MOST_VECTORS];
    LLVMValueRef second[SIMD_MOST_VECTORS]; /* a compare-and-swap's success */
    bool is_set;
};

/* An edge from a node to a next one: the lanes that take it.
 * Life: that of the version that is emitted. */
struct simd_edge {
    bool is_set;
    LLVMValueRef mask[SIMD_MOST_VECTORS];
    /* Of the target; unset elements, or NULL, mean the values of the phis' operands. */
    struct simd_value *phis;
};

/* ---- the parts of the emission's state ---- */

/* Alias scopes, as metadata: see emit/metadata.c.  Created with the function, const afterwards. */
struct simd_alias_scopes {
    LLVMValueRef shared_scope;   /* of accesses to shared memory; NULL: it may alias other memory */
    LLVMValueRef context_scope;  /* of stores to the thread's context */
    LLVMValueRef noalias_scopes; /* all scopes that accesses to other memory do not alias */
};

/* A function that kernels call: its own parameters, and its result. */
struct simd_called_values {
    LLVMValueRef mask;      /* i64: a bit for each lane of the chunk that calls it */
    LLVMValueRef first;     /* i32: the number of lane 0's thread */
    unsigned own;           /* the number of the first parameter that the program's function has */
    LLVMValueRef *results;  /* a variable for each vector of the result; NULL: it has none */
    bool has_other_returns; /* the variables have the results of some lanes already */
};

/* Values of the launch and the block, which the entry reads once.  All but block_x are const
 * afterwards.  Lanes are numbered like threads; only LAYOUT_PADDED has lanes that are no
 * threads. */
struct simd_launch_values {
    LLVMValueRef params, block, self;
    LLVMValueRef block_x;                    /* i32: blockIdx.x; a phi in a loop over blocks */
    LLVMValueRef dimension[3], thread_count; /* i32 */
    LLVMValueRef row, lane_count;     /* i32: the number of lanes of a row, and of the block */
    LLVMValueRef padded_count;        /* i32: the number of lanes of whole chunks */
    LLVMValueRef reciprocal[2];       /* i32: of the first two dimensions, in LAYOUT_ANY */
    struct simd_called_values called; /* only of a function that kernels call */
};

/* Memory on the entry's stack. */
struct simd_frame {
    LLVMValueRef scratch;     /* memory for loads of inactive lanes; zeroed */
    LLVMValueRef next_region; /* i32: the region after the barrier at which the threads wait */
    LLVMValueRef is_last;     /* i1: later chunks have nothing to do */
    LLVMValueRef alive;       /* bits of each vector's lanes that wait at the barrier */
    LLVMValueRef yes, votes;  /* i32: votes of the threads at a barrier that combines predicates */
    LLVMValueRef errors;      /* last errors of all threads, if the kernel may launch; else NULL */
    LLVMValueRef failed;      /* i64: all bits of these errors; see emit/thread_context.c */
    LLVMValueRef warp_array;  /* values of one warp, whose lanes read each other's */
    LLVMValueRef firsts;      /* --count: an address for each vector; NULL: not used yet */
    struct simd_tile *tiles;  /* by value number; NULL: no loop has had tiles yet */
    uint64_t tile_bytes;      /* of all tiles so far */
    LLVMValueRef *arrays;     /* array_count arrays: operands of loops over lanes */
    size_t array_count;
    LLVMValueRef *slots, *locals; /* by value number; locals: arrays of the threads' variables */
    /* By value number: variables of promoted live-ins. */
    LLVMValueRef (*variables)[SIMD_MOST_VECTORS];
};

/* The current chunk. */
struct simd_chunk_values {
    LLVMValueRef first64[SIMD_MOST_VECTORS], first32[SIMD_MOST_VECTORS]; /* number of lane 0 */
    struct simd_value ids[4]; /* threadIdx.x .y .z, the thread's number */
};

/* The code being emitted: its plan, and what has been emitted of it.
 * Changes from region to region and from version to version; functions that emit a part save and
 * restore what they change. */
struct simd_scope {
    const struct simd_region *region;
    const struct simd_path *path;
    const struct simd_version_plan *version;  /* NULL: outside of the path's versions */
    struct simd_value *values;                /* by value number */
    struct simd_edge *edges;                  /* by node * 2 + the edge's number */
    LLVMValueRef (*masks)[SIMD_MOST_VECTORS]; /* by node */
    bool *has_mask, *is_done;                 /* by node */
    bool is_whole;             /* all lanes of the chunk are active where the region starts */
    bool is_versioned;         /* the current loop is one of two versions */
    int stop;                  /* the node whose branch the enclosing loop emits; -1: none */
    LLVMBasicBlockRef restart; /* the block where a chunk of the all-active version restarts */
    /* By value number: what a load of an interleave group has read, for later ones of its node,
     * which have it as their reader. NULL: each of them reads for itself. */
    LLVMValueRef **read;
    unsigned char *progress; /* of the current node's instructions, by value number: restarts.h */
};

/* --count: the numbers that the function counts by itself. See emit/counters.c. */
struct simd_counters {
    LLVMValueRef table;   /* struct cdp_abi_counters; NULL: there are no counters yet */
    LLVMValueRef numbers; /* i64 of each counter: the calling OS thread's */
    LLVMValueRef *items;  /* struct cdp_abi_counter */
    size_t count;
};

/* Blocks and properties of the function as a whole. */
struct simd_code {
    LLVMMetadataRef subprogram; /* NULL: there is no debug information */
    LLVMBasicBlockRef *starts;  /* of the regions */
    LLVMBasicBlockRef done;
    bool has_nontemporal; /* some store is marked nontemporal */
    bool stays_loop;      /* the last chunk loop is too long for straight code */
    struct simd_counters counters;
};

/* The emission of one version's function.
 *
 * Life: as long as the emission.
 *
 * Owner: the caller; everything it points to is in the arena or belongs to LLVM's context. */
struct simd_emit {
    struct lower_context *lower;
    const struct simd_plan *plan;
    const struct simd_kernel *kernel; /* the plan's kernel */
    LLVMValueRef function;
    LLVMBuilderRef builder;
    LLVMBuilderRef allocas;  /* positioned in the function's entry block */
    unsigned lanes, vectors; /* of a chunk in the current loop */
    struct {
        LLVMTypeRef mask, bits;
    } types;
    LLVMValueRef full, none; /* masks */
    LLVMValueRef *mask;      /* of the current instruction; NULL: all lanes are active */
    struct simd_alias_scopes alias;
    struct simd_launch_values launch;
    struct simd_frame memory;
    struct simd_chunk_values chunk;
    struct simd_scope scope;
    struct simd_code code;
};

#endif
