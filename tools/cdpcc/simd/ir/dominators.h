/* The nodes that one reaches: dominators, loops, ways between them. */
#ifndef CDPCC_SIMD_IR_DOMINATORS_H
#define CDPCC_SIMD_IR_DOMINATORS_H
#include "simd/ir/kernel.h"

struct block_loop {
    unsigned header;
    int parent; /* -1 = none */
    unsigned depth;
    bool *inside; /* by node */
};

/* The nodes that can be reached from one without passing a barrier's end. */
struct block_graph {
    const struct block_kernel *kernel;
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
    struct block_loop *loops;
    size_t loop_count;
    int *loop_of; /* innermost loop by node; -1 = none */
    bool is_irreducible, is_endless;
};

struct block_graph *block_graph_build(const struct block_kernel *kernel, unsigned entry,
                                      bool passes_barriers, const signed char *cut);
unsigned block_graph_next(const struct block_graph *graph, unsigned node, unsigned next[BLOCK_NEXT],
                          unsigned which[BLOCK_NEXT]);
bool block_dominates(const struct block_graph *graph, unsigned by, unsigned node);
bool block_postdominates(const struct block_graph *graph, unsigned by, unsigned node);
bool block_in_loop(const struct block_graph *graph, int loop, unsigned node);
/* Nodes between from's ways out and stop (not itself; -1 = the end), as a set. */
bool *block_graph_reach(const struct block_graph *graph, unsigned from, int stop);

/* Within one turn of a loop (-1 = of the whole): from the node up to stop (-1 = none). */
struct block_reach {
    bool *nodes;
    bool turns; /* it comes to the loop's next turn */
    bool ends;  /* to an end, or to the next turn of a loop around it */
    bool lasts; /* to such a turn or a barrier: threads that have not ended */
};
struct block_reach block_graph_reach_in_turn(const struct block_graph *graph, unsigned from,
                                             int stop, int loop);
/* The first node that all ways from here lead to within the turn, or one of these. */
enum { BLOCK_NO_MEETING = -1, BLOCK_NEXT_TURN = -2 };
int block_graph_meeting(const struct block_graph *graph, unsigned node, int loop);
/* All that are at the node come to the other one within the same turn. */
bool block_graph_comes_to(const struct block_graph *graph, unsigned node, unsigned to, int loop);
/* By node: within a turn of the loop, some way from it does not come to the other one. */
const bool *block_graph_escapes(const struct block_graph *graph, unsigned to, int loop);
/* Lanes that part at the node, which is in the loop, may leave the loop at different times. */
bool block_graph_parts(const struct block_graph *graph, unsigned node, int loop);

#endif
