/* What each loop of a path becomes. */
#ifndef CDPCC_SIMD_PLAN_LOOPS_H
#define CDPCC_SIMD_PLAN_LOOPS_H
#include "simd/ir/edges.h"
#include "simd/plan/prefetch_far.h"
#include "simd/plan/prefetch_loop.h"

#include <stdbool.h>

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

/* The plan of one loop: its edges, and what its kind needs.  Owner: the version's plan; in the
 * arena, const for emission. */
struct simd_loop_plan {
    enum simd_loop_kind kind;
    struct simd_edges entering, back, exits;
    int exiting; /* UNIFORM, VERSIONED: the exiting node; else -1 */
    /* VERSIONED, by value number: the values from outside the loop that are affine or uniform only
     * if the test holds. */
    const bool *tested;
    /* ALL_ACTIVE_THEN_MASKED, by phi of the header: the test under which the phi stays affine for
     * the whole chunk, as signed or unsigned numbers.  TEST_NONE: it does not. */
    const enum simd_test *affine_phis;
    struct simd_loop_prefetch ahead; /* ALL_ACTIVE_THEN_MASKED */
    struct simd_far_prefetch far;    /* UNIFORM, VERSIONED */
};

/* The loops of a path, by their number in one of its graphs.
 * Returns an array in the arena, with an entry for each loop of the graph; never NULL. The graph
 * is the path's own or its all-active one. */
struct simd_loop_plan *simd_plan_loops(const struct simd_path *path, const struct simd_graph *graph,
                                       const struct simd_chunk *chunk);

#endif
