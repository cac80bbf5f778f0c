/* What each loop of a path becomes. */
#ifndef CDPCC_SIMD_PLAN_LOOPS_H
#define CDPCC_SIMD_PLAN_LOOPS_H
#include "simd/ir/edges.h"
#include "simd/plan/prefetch_far.h"
#include "simd/plan/prefetch_loop.h"
#include "simd/plan/row_tiles.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

struct simd_graph;
struct simd_path;

/* How a loop is emitted. */
enum simd_loop_kind {
    LOOP_UNIFORM,   /* all lanes leave the loop together, from one node: a plain loop */
    LOOP_DIVERGENT, /* masked: the loop runs until no lane is active */
    LOOP_ALL_ACTIVE_THEN_MASKED, /* lanes leave in nearly the same iteration: all-active iterations
                                    while all lanes stay, then a masked remainder.  Only where all
                                    lanes reach the loop, or most likely do; else LOOP_DIVERGENT */
    LOOP_VERSIONED, /* LOOP_UNIFORM emitted twice: a test before the loop chooses.  Only where all
                       lanes are active; else LOOP_UNIFORM */
};

/* A uniform phi of the header that grows by a constant in each iteration. */
struct simd_counter {
    size_t index; /* among the header's phis */
    LLVMValueRef phi, next;
    LLVMValueRef step; /* next is phi + step */
};

/* The plan of one loop: its edges, and what its kind needs.  Owner: the version's plan; in the
 * arena, const for emission. */
struct simd_loop_plan {
    enum simd_loop_kind kind;
    struct simd_edges entering, back, exits;
    int exiting; /* UNIFORM, VERSIONED: the exiting node; else -1 */
    /* UNIFORM, VERSIONED, by node: the loop's nodes up to the exiting one, and those after it.
     * Inner loops belong to one of them as a whole. */
    const bool *up_to_exit, *after_exit;
    /* DIVERGENT, ALL_ACTIVE_THEN_MASKED: what lanes take with them when they leave is a vector that
     * counts, if it is one of these. */
    struct simd_counter *counters;
    size_t counter_count;
    /* VERSIONED, by value number: the values from outside the loop that are affine or uniform only
     * if the test holds. */
    const bool *tested;
    /* ALL_ACTIVE_THEN_MASKED, by phi of the header: the test under which the phi stays affine for
     * the whole chunk, as signed or unsigned numbers.  TEST_NONE: it does not. */
    const enum simd_test *affine_phis;
    /* DIVERGENT: once at most so many lanes stay, they run one after the other; 0: never. */
    unsigned few_lanes;
    struct simd_loop_prefetch ahead; /* ALL_ACTIVE_THEN_MASKED */
    struct simd_far_prefetch far;    /* UNIFORM, VERSIONED */
    struct simd_row_tiles tiles;     /* UNIFORM, VERSIONED; where all lanes are active */
};

/* The loops of a path, by their number in one of its graphs.
 * Returns an array in the arena, with an entry for each loop of the graph; never NULL. The graph
 * is the path's own or its all-active one. */
struct simd_loop_plan *simd_plan_loops(const struct simd_path *path, const struct simd_graph *graph,
                                       const struct simd_chunk *chunk);
/* The innermost loop around the load reads it in tiles. loops: by their number in the graph. */
bool simd_reads_in_tiles(const struct simd_loop_plan *loops, const struct simd_graph *graph,
                         LLVMValueRef load);
/* The loop at this level that contains the node; -1: the node is in no such loop.  A level is a
 * loop, whose inner loops are at it, or -1. */
int simd_loop_below(const struct simd_graph *graph, unsigned node, int level);

#endif
