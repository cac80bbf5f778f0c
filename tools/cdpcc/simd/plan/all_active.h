/* The all-active version of a path: what it leaves out. */
#ifndef CDPCC_SIMD_PLAN_ALL_ACTIVE_H
#define CDPCC_SIMD_PLAN_ALL_ACTIVE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_chunk;
struct simd_graph;
struct simd_path;

/* The graph without edges that lanes take rarely; the same graph if there are none.  `stays`, by
 * node: both edges of its branch are kept.  Nodes are added to it. */
const struct simd_graph *simd_make_all_active(const struct simd_graph *graph,
                                              const struct simd_chunk *chunk, bool *stays);
/* Returns, by node of such a graph, whether nothing has been stored yet when all lanes of a chunk
 * reach the node.
 * The array is in the arena; never NULL. */
const bool *simd_find_restarts(const struct simd_graph *graph, const struct simd_chunk *chunk);
/* Nothing has been stored yet at the instruction either, in the all-active version: the chunk may
 * restart under masks.
 * False also if the path has no restarts at all. */
bool simd_may_restart(const struct simd_path *path, LLVMValueRef instruction);

#endif
