/* How many lanes and vectors a chunk has. */
#ifndef CDPCC_SIMD_PLAN_WIDTH_H
#define CDPCC_SIMD_PLAN_WIDTH_H
#include <llvm-c/Types.h>
#include "simd/plan/plan.h"

struct simd_graph;
struct simd_kernel;

/* The kernel must be built. It gets the variant and the facts of the general version.
 * CDPCC_LANES and CDPCC_VECTORS override the choice, for tests. */
struct simd_options simd_options_of(struct simd_kernel *kernel);
/* Lanes that leave a loop on the condition do so in nearly the same iteration, as in for (i =
 * thread; i < n; i += threads). */
bool simd_is_bound(const struct simd_kernel *kernel, LLVMValueRef condition);
/* Some call in the graph certainly runs one lane after the other. */
bool simd_has_calls(const struct simd_graph *graph);
/* Bytes of the variables of a chunk of so many threads; their copies are interleaved in groups. */
uint64_t simd_local_bytes(const struct simd_kernel *kernel, unsigned threads);
/* The kernel has so many tests of --check that its code should be short. */
bool simd_has_many_tests(const struct simd_kernel *kernel);

#endif
