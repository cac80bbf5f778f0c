/* How many lanes and vectors a chunk has. */
#ifndef CDPCC_SIMD_PLAN_WIDTH_H
#define CDPCC_SIMD_PLAN_WIDTH_H
#include "simd/emit/function.h"

struct block_graph;
struct block_kernel;

/* The kernel is built; its shapes are those of the general entry afterwards. */
struct block_options block_options_of(struct block_kernel *kernel);
/* Lanes that leave a loop by it do so at the same time but for a few, as in
 * for (i = thread; i < n; i += threads). */
bool block_is_bound(const struct block_kernel *kernel, LLVMValueRef condition);
/* Something in it runs lane by lane, as a call. */
bool block_has_calls(const struct block_graph *graph);
bool block_starts_region(const struct block_kernel *kernel, unsigned node);
/* Of one thread's variables, where each lane of a chunk has its own. */
uint64_t block_local_bytes(const struct block_kernel *kernel);

#endif
