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

struct simd_emit {
    struct lower_context *lower;
    const struct simd_plan *plan;
    const struct simd_kernel *kernel; /* the plan's */
    LLVMValueRef function;
    LLVMBuilderRef builder;
    LLVMBuilderRef allocas; /* at the function's entry */
    LLVMMetadataRef subprogram;
    LLVMValueRef shared_scope;  /* of accesses to shared memory; NULL: not known to be apart */
    LLVMValueRef context_scope; /* of stores to the thread's context */
    LLVMValueRef apart_scopes;  /* of what accesses to other memory do not reach */
    unsigned lanes, vectors;    /* of a chunk in the loop at hand */
    unsigned most_vectors;      /* of any loop */
    LLVMTypeRef mask_type, bits_type;
    LLVMValueRef full, none; /* masks */
    LLVMValueRef params, block, self;
    LLVMValueRef block_x;                    /* i32: blockIdx.x */
    LLVMValueRef dimension[3], thread_count; /* i32 */
    /* Lanes are numbered like threads, but for those in LAYOUT_FILLED that are none.  i32: the
     * lanes of a row, of the block, and of whole chunks of them. */
    LLVMValueRef row, lane_count, padded_count;
    LLVMValueRef reciprocal[2]; /* i32: of the first two dimensions, in LAYOUT_ANY */
    LLVMValueRef scratch;       /* where loads of inactive lanes go; zeroed */
    LLVMValueRef next_region;
    LLVMValueRef alive;      /* bits of each vector's lanes that wait at the barrier */
    LLVMValueRef yes, votes; /* i32 in memory: of the threads at a barrier that counts */
    LLVMValueRef *arrays;    /* array_count of them: operands of a loop over lanes */
    size_t array_count;
    LLVMValueRef errors;     /* of all threads, if the kernel may launch; else NULL */
    LLVMValueRef warp_array; /* one warp's values, where lanes read each other's */

    /* per chunk */
    LLVMValueRef first64[SIMD_MOST_VECTORS], first32[SIMD_MOST_VECTORS]; /* number of lane 0 */
    struct simd_value ids[4]; /* threadIdx.x .y .z, the thread's number */

    /* per region */
    const struct simd_region *region;
    const struct simd_path *path;
    const struct simd_version_plan *version;
    const struct simd_graph *graph;           /* the version's */
    struct simd_value *values;                /* by value number */
    struct simd_edge *edges;                  /* by node * 2 + way out */
    LLVMValueRef (*masks)[SIMD_MOST_VECTORS]; /* by node */
    bool *has_mask, *is_done;
    bool is_whole;             /* all lanes of the chunk are active where the region starts */
    bool is_versioned;         /* the loop at hand is made twice */
    int stop;                  /* the node whose end the loop around it makes */
    LLVMValueRef *mask;        /* of the instruction at hand; NULL = all lanes */
    LLVMBasicBlockRef restart; /* where a chunk of the version without masks starts again */
    int early_exit;            /* the node that stores to is_last; -1: none (plan/early_exits.c) */
    LLVMValueRef is_last;      /* i1 in memory: later chunks have nothing to do */
    bool *is_mixed;
    LLVMValueRef (*variables)[SIMD_MOST_VECTORS]; /* of mixed values */

    /* slots, by value number */
    LLVMValueRef *slots;
    LLVMValueRef *locals; /* arrays of the threads' own variables */

    LLVMBasicBlockRef *starts; /* of the regions */
    LLVMBasicBlockRef done;
    bool has_nontemporal; /* some store is marked so */
};

#endif
