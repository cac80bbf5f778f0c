/* Loads between which the threads of the block may store. */
#ifndef CDPCC_SIMD_ANALYSIS_CLOBBER_H
#define CDPCC_SIMD_ANALYSIS_CLOBBER_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_graph;
struct simd_kernel;

/* What the instruction writes may be what the load, at a uniform address, reads. */
bool simd_may_clobber(const struct simd_kernel *kernel, LLVMValueRef write, LLVMValueRef load);
/* What the threads of a block may come to between two barriers. */
struct simd_meetings {
    const struct simd_graph *region;
    const bool **behind; /* by node: the nodes that it leads to, and itself; NULL: not asked yet */
};
struct simd_meetings *simd_meetings_of(const struct simd_graph *region);
/* Also from a node to itself. */
bool simd_leads_to(struct simd_meetings *meetings, unsigned from, unsigned to);
/* Of a load at a uniform address: a thread of the block may store there in the region, so that
 * another one loads something else. */
bool simd_is_clobbered(struct simd_meetings *meetings, LLVMValueRef load);

#endif
