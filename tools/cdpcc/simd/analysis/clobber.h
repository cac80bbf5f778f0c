/* Loads at uniform addresses that stores of the block's threads may clobber. */
#ifndef CDPCC_SIMD_ANALYSIS_CLOBBER_H
#define CDPCC_SIMD_ANALYSIS_CLOBBER_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_graph;
struct simd_kernel;

/* The instruction may write to memory that the access reads in some thread. */
bool simd_may_clobber_any(const struct simd_kernel *kernel, LLVMValueRef write,
                          LLVMValueRef access);
/* The instruction may write to the memory that the load, at a uniform address, reads. */
bool simd_may_clobber(const struct simd_kernel *kernel, LLVMValueRef write, LLVMValueRef load);
/* Which nodes of a region follow which, so that accesses of two threads may run in either order
 * between two barriers. */
struct simd_reachability {
    const struct simd_graph *region;
    /* By node: the set of nodes that it leads to, and itself; NULL: not computed yet. */
    const bool **after;
};
/* The result is in the arena, and its sets are filled in on demand. */
struct simd_reachability *simd_reachability_of(const struct simd_graph *region);
/* True also from a node to itself. */
bool simd_leads_to(struct simd_reachability *reachability, unsigned from, unsigned to);
/* The load is at a uniform address.  A thread of the block may store there within the region, so
 * that another thread loads a different value.
 * False if the kernel has no barriers. */
bool simd_is_clobbered(struct simd_reachability *reachability, LLVMValueRef load);

#endif
