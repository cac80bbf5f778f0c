/* Loops that may wait for other threads. */
#ifndef CDPCC_SIMD_ANALYSIS_PROGRESS_H
#define CDPCC_SIMD_ANALYSIS_PROGRESS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_graph;

/* Whether the loop, of the whole kernel, may go on by what other threads do. */
bool simd_may_wait(const struct simd_graph *graph, int loop);

#endif
