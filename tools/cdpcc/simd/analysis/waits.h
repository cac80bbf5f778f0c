/* Calls that wait for other blocks or grids. */
#ifndef CDPCC_SIMD_ANALYSIS_WAITS_H
#define CDPCC_SIMD_ANALYSIS_WAITS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_graph;

/* The call waits for child grids or for the grid's other blocks. */
bool simd_waits(LLVMValueRef at);
/* Why a region may not wait for child grids as a block; NULL: it may, or does not wait. *blamed is
 * the call. */
const char *simd_wait_refusal(const struct simd_graph *region, LLVMValueRef *blamed);

#endif
