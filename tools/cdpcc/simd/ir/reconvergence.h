/* Which nodes lanes reach from a node, and where diverged lanes reconverge. */
#ifndef CDPCC_SIMD_IR_RECONVERGENCE_H
#define CDPCC_SIMD_IR_RECONVERGENCE_H
#include <stdbool.h>

struct simd_graph;

/* The set of nodes on paths from the node's outgoing edges up to stop, without stop itself.  A stop
 * of -1 means the end.
 * The node itself belongs to the set, unless it is stop. */
bool *simd_graph_reach(const struct simd_graph *graph, unsigned from, int stop);
/* What a node reaches within one iteration of a loop, up to stop.  A loop of -1 means the whole
 * graph; a stop of -1 means that there is none. */
struct simd_reach {
    bool *nodes;
    bool iterates; /* reaches the loop's next iteration */
    bool ends;     /* reaches an end, or the next iteration of an enclosing loop */
    bool lasts;    /* reaches such an iteration or a barrier: some threads have not ended */
};
struct simd_reach simd_graph_reach_in_iteration(const struct simd_graph *graph, unsigned from,
                                                int stop, int loop);
/* The first node to which all paths from this one lead within the iteration: where diverged lanes
 * reconverge.  It may be one of these instead. */
enum { SIMD_NO_RECONVERGENCE = -1, SIMD_NEXT_ITERATION = -2 };
int simd_graph_reconvergence(const struct simd_graph *graph, unsigned node, int loop);
/* All lanes that reach the node also reach the other one within the same iteration. */
bool simd_graph_always_reaches(const struct simd_graph *graph, unsigned node, unsigned to,
                               int loop);
/* By node: some path from it, within an iteration of the loop, does not reach the other node. */
const bool *simd_graph_escapes(const struct simd_graph *graph, unsigned to, int loop);
/* The node is in the loop.  If lanes diverge at it, they may leave the loop in different
 * iterations. */
bool simd_graph_exits_diverge(const struct simd_graph *graph, unsigned node, int loop);

#endif
