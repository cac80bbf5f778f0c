/* Emission of loops. */
#ifndef CDPCC_SIMD_EMIT_LOOPS_H
#define CDPCC_SIMD_EMIT_LOOPS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_graph;

/* The mask before and after the loop is not its header's own mask, which only holds inside. */
void simd_loop(struct simd_emit *emit, int number);
/* The loop at this level that contains the node. */
int simd_loop_below(const struct simd_graph *graph, unsigned node, int level);

#endif
