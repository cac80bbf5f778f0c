/* Loops that may wait for other threads. */
#ifndef CDPCC_SIMD_ANALYSIS_PROGRESS_H
#define CDPCC_SIMD_ANALYSIS_PROGRESS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_graph;

/* The loop, in the graph of the whole kernel, may run on until another thread acts.
 * True is the safe answer, for loops that are not understood. */
bool simd_may_wait(const struct simd_graph *graph, int loop);

#endif
