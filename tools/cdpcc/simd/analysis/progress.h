/* Loops that may wait for other threads. */
#ifndef CDPCC_SIMD_ANALYSIS_PROGRESS_H
#define CDPCC_SIMD_ANALYSIS_PROGRESS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_graph;

/* Whether the loop, of the whole kernel, may go on by what other threads do. */
bool block_waits(const struct block_graph *graph, int loop);

#endif
