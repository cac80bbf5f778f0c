/* Which values are available at a point of a region without a load that the kernel does not
 * have. */
#ifndef CDPCC_SIMD_PLAN_AVAILABLE_H
#define CDPCC_SIMD_PLAN_AVAILABLE_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_graph;
struct simd_path;

/* The value has been computed before the node's instructions that use it, in this chunk: by the
 * graph's nodes, or at the chunk's start.  Promoted live-ins do not count, since their variable may
 * hold the value of a later definition. */
bool simd_is_available(const struct simd_path *path, const struct simd_graph *graph, unsigned node,
                       LLVMValueRef value);
/* The value is available in this sense, or it is a promoted live-in, which is in memory. */
bool simd_is_available_or_promoted(const struct simd_path *path, const struct simd_graph *graph,
                                   unsigned node, LLVMValueRef value);

#endif
