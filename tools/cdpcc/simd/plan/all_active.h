/* What the version without masks leaves out. */
#ifndef CDPCC_SIMD_PLAN_ALL_ACTIVE_H
#define CDPCC_SIMD_PLAN_ALL_ACTIVE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_graph;
struct simd_kernel;

/* The region's graph without the ways that hardly any lane goes; the same if there are none. */
const struct simd_graph *simd_make_all_active(const struct simd_kernel *kernel,
                                              const struct simd_graph *graph);
/* By node of such a graph: nothing has been seen of a chunk that comes there, all its lanes. */
const bool *simd_find_restarts(const struct simd_graph *graph);
/* Nor at the instruction. */
bool simd_may_restart(const struct simd_emit *emit, LLVMValueRef instruction);

#endif
