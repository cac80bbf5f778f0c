/* Whether a block may wait as a whole. */
#ifndef CDPCC_SIMD_ANALYSIS_WAITS_H
#define CDPCC_SIMD_ANALYSIS_WAITS_H
#include <llvm-c/Types.h>

struct simd_graph;

/* Why a region may not wait for child grids as a block; NULL: it may, or does not wait. *blamed is
 * the call. */
const char *simd_wait_refusal(const struct simd_graph *region, LLVMValueRef *blamed);

#endif
