/* Loads between which the threads of the block may store. */
#ifndef CDPCC_SIMD_ANALYSIS_CLOBBER_H
#define CDPCC_SIMD_ANALYSIS_CLOBBER_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_graph;
struct block_kernel;

/* What the instruction writes may be what the load, at a uniform address, reads. */
bool block_may_clobber(const struct block_kernel *kernel, LLVMValueRef write, LLVMValueRef load);
/* What the threads of a block may come to between two barriers. */
struct block_meetings {
    const struct block_graph *region;
    const bool **behind; /* by node: the nodes that it leads to, and itself; NULL: not asked yet */
};
struct block_meetings *block_meetings_of(const struct block_graph *region);
/* Also from a node to itself. */
bool block_leads_to(struct block_meetings *meetings, unsigned from, unsigned to);
/* Of a load at a uniform address: a thread of the block may store there in the region, so that
 * another one loads something else. */
bool block_is_clobbered(struct block_meetings *meetings, LLVMValueRef load);

#endif
