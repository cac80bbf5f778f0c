/* Loops. */
#ifndef CDPCC_SIMD_EMIT_LOOPS_H
#define CDPCC_SIMD_EMIT_LOOPS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_graph;

/* The masks that hold before and after the loop are not its header's own. */
void simd_loop(struct simd_emit *emit, int number);
/* The loop at this level that holds the node. */
int simd_loop_below(const struct simd_graph *graph, unsigned node, int level);

#endif
