/* What is emitted: values, edges, and all that is known of the function in the making. */
#ifndef CDPCC_SIMD_EMIT_EMIT_H
#define CDPCC_SIMD_EMIT_EMIT_H
#include "simd/analysis/shape.h"
#include "simd/ir/kernel.h"

struct simd_graph;
struct simd_path;
struct simd_plan;
struct simd_region;
struct simd_version_plan;
struct lower_context;

/* A value for the lanes of a chunk; which fields count depends on its shape. */
struct simd_value {
    struct simd_shape shape;
    LLVMValueRef scalar[SIMD_MOST_VECTORS]; /* lane 0 of each vector; uniform: [0] only */
    LLVMValueRef vector[SIMD_MOST_VECTORS]; /* varying, or linear with a check */
    LLVMValueRef holds[SIMD_MOST_VECTORS];  /* i1: the check */
    /* i1: likewise where all lanes use it, as flags promise the rest then; NULL: they promise all,
     * or it was asked before the loop (plan/versioning.c) */
    LLVMValueRef holds_for_all[SIMD_MOST_VECTORS];
    LLVMValueRef second[SIMD_MOST_VECTORS]; /* a compare-and-swap's success */
    bool is_set;
};

/* One way from a node to a next one: the lanes that take it. */
struct simd_edge {
    bool is_set;
    LLVMValueRef mask[SIMD_MOST_VECTORS];
    struct simd_value *phis; /* of the target; unset ones and NULL: the operands' values */
};

/* ---- the parts of the emission's state ---- */

/* Alias scopes, as metadata: see emit/metadata.c.  Made with the function, const afterwards. */
struct simd_alias_scopes {
    LLVMValueRef shared_scope;  /* of accesses to shared memory; NULL: it may alias other memory */
    LLVMValueRef context_scope; /* of stores to the thread's context */
    LLVMValueRef apart_scopes;  /* all scopes that accesses to other memory do not reach */
};

/* What the entry reads of the launch and the block, once.  But for block_x, const after that. Lanes
 * are numbered like threads; only in LAYOUT_FILLED there are lanes that are no threads. */
struct simd_launch_values {
    LLVMValueRef params, block, self;
    LLVMValueRef block_x;                    /* i32: blockIdx.x; a phi in a loop over blocks */
    LLVMValueRef dimension[3], thread_count; /* i32 */
    LLVMValueRef row, lane_count;            /* i32: the lanes of a row, and of the block */
    LLVMValueRef padded_count;               /* i32: the lanes of whole chunks */
    LLVMValueRef reciprocal[2];              /* i32: of the first two dimensions, in LAYOUT_ANY */
};

/* The entry's stack. */
struct simd_frame {
    unsigned most_vectors;    /* of any chunk loop */
    LLVMValueRef scratch;     /* where loads of inactive lanes go; zeroed */
    LLVMValueRef next_region; /* i32: that the threads wait for */
    LLVMValueRef is_last;     /* i1: later chunks have nothing to do */
    LLVMValueRef alive;       /* bits of each vector's lanes that wait at the barrier */
    LLVMValueRef yes, votes;  /* i32: of the threads at a barrier that counts */
    LLVMValueRef errors;      /* of all threads, if the kernel may launch; else NULL */
    LLVMValueRef warp_array;  /* one warp's values, where lanes read each other's */
    LLVMValueRef *arrays;     /* array_count of them: operands of a loop over lanes */
    size_t array_count;
    LLVMValueRef *slots, *locals; /* by value number; locals: arrays of the threads' variables */
    LLVMValueRef (*variables)[SIMD_MOST_VECTORS]; /* by value number: of promoted live-ins */
};

/* The chunk at hand. */
struct simd_chunk_values {
    LLVMValueRef first64[SIMD_MOST_VECTORS], first32[SIMD_MOST_VECTORS]; /* number of lane 0 */
    struct simd_value ids[4]; /* threadIdx.x .y .z, the thread's number */
};

/* The code at hand: what the plan says of it, and what has been emitted of it. */
struct simd_scope {
    const struct simd_region *region;
    const struct simd_path *path;
    const struct simd_version_plan *version;  /* NULL: outside of the path's versions */
    const struct simd_graph *graph;           /* the version's */
    struct simd_value *values;                /* by value number */
    struct simd_edge *edges;                  /* by node * 2 + way out */
    LLVMValueRef (*masks)[SIMD_MOST_VECTORS]; /* by node */
    bool *has_mask, *is_done;                 /* by node */
    const bool *is_promoted;                  /* by value number; NULL: outside of versions */
    bool is_whole;             /* all lanes of the chunk are active where the region starts */
    bool is_versioned;         /* the loop at hand is one of two versions */
    int stop;                  /* the node whose end the loop around it emits; -1: none */
    int early_exit;            /* the node that stores to is_last; -1: none */
    LLVMBasicBlockRef restart; /* where a chunk of the version without masks restarts */
};

/* What is known of the function as a whole. */
struct simd_code {
    LLVMMetadataRef subprogram; /* NULL: there is no debug information */
    LLVMBasicBlockRef *starts;  /* of the regions */
    LLVMBasicBlockRef done;
    bool has_nontemporal; /* some store is marked so */
};

/* The emission of one version's function: lives as long as that. */
struct simd_emit {
    struct lower_context *lower;
    const struct simd_plan *plan;
    const struct simd_kernel *kernel; /* the plan's */
    LLVMValueRef function;
    LLVMBuilderRef builder;
    LLVMBuilderRef allocas;  /* at the function's entry */
    unsigned lanes, vectors; /* of a chunk in the loop at hand */
    struct {
        LLVMTypeRef mask, bits;
    } types;
    LLVMValueRef full, none; /* masks */
    LLVMValueRef *mask;      /* of the instruction at hand; NULL: all lanes are active */
    struct simd_alias_scopes alias;
    struct simd_launch_values launch;
    struct simd_frame memory;
    struct simd_chunk_values chunk;
    struct simd_scope scope;
    struct simd_code code;
};

#endif
