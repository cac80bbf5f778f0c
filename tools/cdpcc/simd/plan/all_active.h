/* What the version without masks leaves out. */
#ifndef CDPCC_SIMD_PLAN_ALL_ACTIVE_H
#define CDPCC_SIMD_PLAN_ALL_ACTIVE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_graph;
struct block_kernel;

/* The region's graph without the ways that hardly any lane goes; the same if there are none. */
const struct block_graph *block_make_fast(const struct block_kernel *kernel,
                                          const struct block_graph *graph);
/* By node of such a graph: nothing has been seen of a chunk that comes there, all its lanes. */
const bool *block_find_restarts(const struct block_graph *graph);
/* Nor at the instruction. */
bool block_may_restart(const struct block_emit *emit, LLVMValueRef instruction);

#endif
