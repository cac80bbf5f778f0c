/* How many lanes and vectors a chunk has. */
#ifndef CDPCC_SIMD_PLAN_WIDTH_H
#define CDPCC_SIMD_PLAN_WIDTH_H
#include <llvm-c/Types.h>
#include "simd/plan/plan.h"

struct simd_graph;
struct simd_kernel;

/* The kernel is built.  It gets the variant and the facts of the general version. */
struct simd_options simd_options_of(struct simd_kernel *kernel);
/* Lanes that leave a loop by it do so at the same time but for a few, as in
 * for (i = thread; i < n; i += threads). */
bool simd_is_bound(const struct simd_kernel *kernel, LLVMValueRef condition);
/* Something in it runs lane by lane, as a call. */
bool simd_has_calls(const struct simd_graph *graph);
/* Of one thread's variables, where each lane of a chunk has its own. */
uint64_t simd_local_bytes(const struct simd_kernel *kernel);

#endif
