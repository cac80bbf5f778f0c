/* The nodes that one reaches: dominators, loops, ways between them. */
#ifndef CDPCC_SIMD_IR_DOMINATORS_H
#define CDPCC_SIMD_IR_DOMINATORS_H
#include "simd/ir/kernel.h"

struct simd_loop {
    unsigned header;
    int parent; /* -1 = none */
    unsigned depth;
    bool *inside; /* by node */
};

/* The nodes that can be reached from one without passing a barrier's end. */
struct simd_graph {
    const struct simd_kernel *kernel;
    unsigned entry;
    bool passes_barriers;   /* the whole kernel */
    const signed char *cut; /* by node: the way out that is not taken, or -1; may be NULL */
    unsigned *order;        /* reverse postorder */
    size_t count;
    int *position;        /* by node; -1 = not in it */
    const bool *finished; /* by node: as good as an end; may be NULL */
    size_t words;
    uint64_t *dominators, *postdominators; /* bit sets by node */
    int *idom, *ipdom;                     /* by node; -1 = none */
    struct simd_loop *loops;
    size_t loop_count;
    int *loop_of; /* innermost loop by node; -1 = none */
    bool is_irreducible, is_endless;
};

struct simd_graph *simd_graph_build(const struct simd_kernel *kernel, unsigned entry,
                                    bool passes_barriers, const signed char *cut);
unsigned simd_graph_next(const struct simd_graph *graph, unsigned node, unsigned next[SIMD_NEXT],
                         unsigned which[SIMD_NEXT]);
bool simd_dominates(const struct simd_graph *graph, unsigned by, unsigned node);
bool simd_postdominates(const struct simd_graph *graph, unsigned by, unsigned node);
bool simd_in_loop(const struct simd_graph *graph, int loop, unsigned node);
/* Nodes between from's ways out and stop (not itself; -1 = the end), as a set. */
bool *simd_graph_reach(const struct simd_graph *graph, unsigned from, int stop);

/* Within one iteration of a loop (-1 = of the whole): from the node up to stop (-1 = none). */
struct simd_reach {
    bool *nodes;
    bool turns; /* it comes to the loop's next iteration */
    bool ends;  /* to an end, or to the next iteration of a loop around it */
    bool lasts; /* to such an iteration or a barrier: threads that have not ended */
};
struct simd_reach simd_graph_reach_in_turn(const struct simd_graph *graph, unsigned from, int stop,
                                           int loop);
/* The first node that all ways from here lead to within the iteration, or one of these. */
enum { SIMD_NO_MEETING = -1, SIMD_NEXT_TURN = -2 };
int simd_graph_meeting(const struct simd_graph *graph, unsigned node, int loop);
/* All that are at the node come to the other one within the same iteration. */
bool simd_graph_comes_to(const struct simd_graph *graph, unsigned node, unsigned to, int loop);
/* By node: within an iteration of the loop, some way from it does not come to the other one. */
const bool *simd_graph_escapes(const struct simd_graph *graph, unsigned to, int loop);
/* Lanes that part at the node, which is in the loop, may leave the loop at different times. */
bool simd_graph_parts(const struct simd_graph *graph, unsigned node, int loop);

#endif
