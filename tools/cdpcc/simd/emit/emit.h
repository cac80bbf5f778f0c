/* What is emitted: values, edges, and all that is known of the function in the making. */
#ifndef CDPCC_SIMD_EMIT_EMIT_H
#define CDPCC_SIMD_EMIT_EMIT_H
#include "simd/analysis/shape.h"
#include "simd/ir/kernel.h"

struct block_graph;
struct block_telling;
struct lower_context;

/* A value for the lanes of a chunk; which fields count depends on its shape. */
struct block_value {
    struct block_shape shape;
    LLVMValueRef scalar[BLOCK_MOST_VECTORS]; /* lane 0 of each vector; uniform: [0] only */
    LLVMValueRef vector[BLOCK_MOST_VECTORS]; /* varying, or linear with a check */
    LLVMValueRef holds[BLOCK_MOST_VECTORS];  /* i1: the check */
    /* i1: likewise where all lanes use it, as flags promise the rest then; NULL: they promise all,
     * or it was asked before the loop (plan/versioning.c) */
    LLVMValueRef holds_for_all[BLOCK_MOST_VECTORS];
    LLVMValueRef second[BLOCK_MOST_VECTORS]; /* a compare-and-swap's success */
    bool is_set;
};

/* One way from a node to a next one: the lanes that take it. */
struct block_edge {
    bool is_set;
    LLVMValueRef mask[BLOCK_MOST_VECTORS];
    struct block_value *phis; /* of the target; unset ones and NULL: the operands' values */
};

struct block_emit {
    struct lower_context *lower;
    struct block_kernel *kernel;
    LLVMValueRef function;
    LLVMBuilderRef builder;
    LLVMBuilderRef allocas; /* at the function's entry */
    LLVMMetadataRef subprogram;
    LLVMValueRef shared_scope;  /* of accesses to shared memory; NULL: not known to be apart */
    LLVMValueRef context_scope; /* of stores to the thread's context */
    LLVMValueRef apart_scopes;  /* of what accesses to other memory do not reach */
    unsigned lanes, vectors;    /* of a chunk in the loop at hand */
    unsigned most_vectors;      /* of any loop */
    bool in_halves, is_seldom;  /* as block_options has them */
    LLVMTypeRef mask_type, bits_type;
    LLVMValueRef full, none; /* masks */
    LLVMValueRef params, block, self;
    LLVMValueRef block_x;                    /* i32: blockIdx.x */
    LLVMValueRef dimension[3], thread_count; /* i32 */
    /* Lanes are numbered like threads, but for those in LAYOUT_FILLED that are none.  i32: the
     * lanes of a row, of the block, and of whole chunks of them. */
    LLVMValueRef row, lane_count, padded_count;
    LLVMValueRef reciprocal[2]; /* i32: of the first two dimensions, in LAYOUT_ANY */
    LLVMValueRef scratch;       /* where loads of lanes that are off go; zeroed */
    LLVMValueRef next_region;
    LLVMValueRef alive;      /* bits of each vector's lanes that wait at the barrier */
    LLVMValueRef yes, votes; /* i32 in memory: of the threads at a barrier that counts */
    uint64_t slot_bytes;     /* per thread */
    LLVMValueRef *arrays;    /* array_count of them: operands of a loop over lanes */
    size_t array_count;
    LLVMValueRef errors;     /* of all threads, if the kernel may launch; else NULL */
    LLVMValueRef warp_array; /* one warp's values, where lanes read each other's */

    /* per chunk */
    LLVMValueRef first64[BLOCK_MOST_VECTORS], first32[BLOCK_MOST_VECTORS]; /* number of lane 0 */
    struct block_value ids[4]; /* threadIdx.x .y .z, the thread's number */

    /* per region */
    const struct block_graph *graph;
    struct block_value *values;                /* by value number */
    struct block_edge *edges;                  /* by node * 2 + way out */
    LLVMValueRef (*masks)[BLOCK_MOST_VECTORS]; /* by node */
    bool *has_mask, *is_done;
    bool is_whole;      /* all lanes of the chunk are at work where the region starts */
    bool is_twice;      /* the loop at hand is made twice */
    int stop;           /* the node whose end the loop around it makes */
    LLVMValueRef *mask; /* of the instruction at hand; NULL = all lanes */
    LLVMValueRef
        *partners; /* by value number: the access that makes this one, too (plan/field_pairs.c) */
    LLVMBasicBlockRef bail; /* where a chunk of the version without masks starts again */
    const bool *restarts; /* by node: it may, also where values are not what they mostly are; NULL:
                           * nowhere */
    int decided; /* the node whose branch is decided for all chunks; -1: none (plan/uniform_exits.c)
                  */
    int narrow;  /* the node that stores to is_last; -1: none (plan/early_exits.c) */
    LLVMValueRef is_last; /* i1 in memory: later chunks have nothing to do */
    bool *is_mixed;
    bool *is_early; /* by value number: loaded before the chunks */
    const struct block_telling *telling;
    LLVMValueRef (*variables)[BLOCK_MOST_VECTORS]; /* of mixed values */

    /* slots, by value number */
    bool *has_slot;
    LLVMValueRef *slots;
    LLVMValueRef *locals; /* arrays of the threads' own variables */
    int *region_of;       /* by node: the region that starts there, or -1 */

    const char *failure;
};

#endif
