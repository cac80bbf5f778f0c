/* Loops that follow links to the root of a tree. */
#ifndef CDPCC_SIMD_ANALYSIS_ROOT_WALK_H
#define CDPCC_SIMD_ANALYSIS_ROOT_WALK_H
#include <stdbool.h>

struct simd_graph;

/* The loop, in the graph of the whole kernel, follows links until an element is linked to itself,
 * and finds that out by an atomic read.  It ends even if no other thread acts, unless the links are
 * a cycle. */
bool simd_walks_to_root(const struct simd_graph *graph, int loop);

#endif
