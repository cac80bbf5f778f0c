/* Loops. */
#ifndef CDPCC_SIMD_EMIT_LOOPS_H
#define CDPCC_SIMD_EMIT_LOOPS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_graph;

/* The masks that hold before and after the loop are not its header's own. */
void block_loop(struct block_emit *emit, int number);
/* The loop at this level that holds the node. */
int block_loop_below(const struct block_graph *graph, unsigned node, int level);

#endif
