/* What each memory access becomes. */
#ifndef CDPCC_SIMD_PLAN_ACCESS_H
#define CDPCC_SIMD_PLAN_ACCESS_H
#include "simd/plan/interleave.h"
#include "simd/plan/permuted.h"
#include "simd/plan/two_way.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_expression;
struct simd_graph;
struct simd_kernel;
struct simd_path;

enum { SIMD_MOST_STEP = 4 }; /* elements of a structure that strided loads handle, at most */

/* How an access is emitted. */
enum simd_access_kind {
    ACCESS_NONE,    /* the instruction is not an access */
    ACCESS_CONTEXT, /* a field of the thread's context, or blockIdx.x: the value is in a register */
    ACCESS_UNIFORM, /* one address */
    ACCESS_CONTIGUOUS, /* lane 0's element and those that follow it */
    ACCESS_REVERSED,   /* contiguous, but lane 0 has the last element */
    ACCESS_STRIDED,    /* every `step`-th element: a few loads and a shuffle */
    ACCESS_INTERLEAVED,
    ACCESS_FIELD_PAIR,
    ACCESS_PERMUTED,
    ACCESS_REPLICATED, /* contiguous, but 2, 4 or 8 neighbouring lanes have one element */
    ACCESS_TWO_WAY,
    ACCESS_GATHER_SCATTER,
    ACCESS_SCALARIZED, /* one lane after the other */
    ACCESS_GROUPED,    /* another access of its pair or interleave group does its work */
};

/* A prefetch, for a load, of the memory that a later block along the grid's x will read with it. */
struct simd_block_prefetch {
    const struct simd_expression *by; /* bytes from a block to the next one; NULL: no prefetch */
    int64_t blocks;                   /* how many blocks ahead */
};

/* The plan of one load or store.  A field is zero if the access's kind is not named beside it.
 *
 * Owner: the version's plan; in the arena, const for emission. */
struct simd_access {
    enum simd_access_kind kind;
    enum simd_access_kind pair_kind; /* FIELD_PAIR: the kind of the pair, accessed as one element */
    unsigned step;                   /* STRIDED: elements from one lane to the next one */
    /* A run-time test chooses between the kind and a gather or scatter.  Always set for PERMUTED,
     * REPLICATED and TWO_WAY.  For UNIFORM: all lanes have one address if the test holds. */
    bool is_tested;
    /* If the test fails, the chunk restarts under masks instead of using the second form. */
    bool restarts;
    bool is_readable;    /* UNIFORM loads: from memory that can be read even if no lane is active */
    bool is_nontemporal; /* CONTIGUOUS: nontemporal where it is not masked, if the grid is large */
    LLVMValueRef partner; /* FIELD_PAIR: the other access; GROUPED: the first access of the group */
    bool is_last;         /* GROUPED stores: this store writes all fields */
    const struct simd_group *group; /* INTERLEAVED loads, and GROUPED stores of such a group */
    const struct simd_permutation *permutation; /* PERMUTED, REPLICATED */
    const struct simd_two_way *two_way;         /* TWO_WAY */
    struct simd_block_prefetch prefetch;
};

/* The accesses of a path, by value number.  The graph is that of the path's all-active version or
 * of its masked one.  The accesses are for chunks whose lanes are all active, or `masked`.  The
 * path's restarts must be known.
 * Returns an array in the arena with a record for each value number; never NULL. Only loads,
 * stores and warp operations that write through a pointer have a kind other than ACCESS_NONE.
 * Restarts are planned only with is_all_active and without `masked`. */
struct simd_access *simd_plan_accesses(const struct simd_path *path, const struct simd_graph *graph,
                                       bool masked, bool is_all_active);
/* The accesses of loads that are recomputed where a chunk starts, or before the chunks, by value
 * number. They form no pairs or groups.
 * The array is in the arena and has a record for each value number. */
struct simd_access *simd_plan_recomputed(const struct simd_kernel *kernel, bool masked);
/* The lanes' addresses are neither contiguous nor a few elements apart: they differ in any way, or
 * by a long stride. */
bool simd_is_far_apart(const struct simd_kernel *kernel, LLVMValueRef access);
/* The load reads part of blockIdx.x, which the entry has in a register.  A wider load reads memory,
 * where the next block's index is written later. */
bool simd_reads_block_index(LLVMValueRef load);

#endif
