/* What each access of memory becomes. */
#ifndef CDPCC_SIMD_PLAN_ACCESS_H
#define CDPCC_SIMD_PLAN_ACCESS_H
#include "simd/ir/instructions.h"
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

enum simd_access_kind {
    ACCESS_NONE,       /* the instruction is no access */
    ACCESS_CONTEXT,    /* a field of the thread's context, or blockIdx.x: it is in a register */
    ACCESS_UNIFORM,    /* one address */
    ACCESS_CONTIGUOUS, /* lane 0's element, and those that follow */
    ACCESS_STRIDED,    /* every `step`-th element: a few loads and a shuffle */
    ACCESS_INTERLEAVED,
    ACCESS_FIELD_PAIR,
    ACCESS_PERMUTED,
    ACCESS_TWO_WAY,
    ACCESS_GATHER_SCATTER,
    ACCESS_SCALARIZED, /* one lane after the other */
    ACCESS_GROUPED,    /* another access of its pair or interleave group does it, too */
};

/* A prefetch of what a later block of the grid's x loads in this load's place. */
struct simd_block_prefetch {
    const struct simd_expression *by; /* bytes from a block to the next one; NULL: no prefetch */
    int64_t blocks;                   /* how many blocks later */
};

/* Of one load or store.  A field that its kind does not name is zero. */
struct simd_access {
    enum simd_access_kind kind;
    enum simd_access_kind pair_kind; /* FIELD_PAIR: of the pair as one element */
    unsigned step;                   /* STRIDED: elements from a lane to the next one */
    /* A test at run time decides between the kind and a gather or scatter.  Always of PERMUTED and
     * TWO_WAY; of UNIFORM: one address for all lanes, if the test holds. */
    bool is_tested;
    bool restarts;        /* if the test fails, the chunk restarts under masks instead */
    bool is_nontemporal;  /* CONTIGUOUS: where it is not masked, if the grid is large */
    LLVMValueRef partner; /* FIELD_PAIR: the other access; GROUPED: the first one of the group */
    bool is_last;         /* GROUPED stores: this one writes all */
    const struct simd_group *group; /* INTERLEAVED, and GROUPED stores of such a group */
    const struct simd_permutation *permutation; /* PERMUTED */
    const struct simd_two_way *two_way;         /* TWO_WAY */
    struct simd_block_prefetch prefetch;
};

/* The accesses of a path, by value number: in the graph of its all-active version, or of the masked
 * one; where all lanes are active, or `masked`.  Needs the path's restarts. */
struct simd_access *simd_plan_accesses(const struct simd_path *path, const struct simd_graph *graph,
                                       bool masked, bool is_all_active);
/* Of loads that are computed again where a chunk starts, or before the chunks: by value number,
 * each for itself. */
struct simd_access *simd_plan_recomputed(const struct simd_kernel *kernel, bool masked);
/* The load reads part of blockIdx.x, which the entry has in a register.  A wider load than that
 * reads memory, where the next block's is written later. */
bool simd_reads_block_index(LLVMValueRef load);

#endif
