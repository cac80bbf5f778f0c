/* Convergence: which lanes of a warp reach its warp operations together. */
#ifndef CDPCC_SIMD_ANALYSIS_CONVERGENCE_H
#define CDPCC_SIMD_ANALYSIS_CONVERGENCE_H
#include <llvm-c/Types.h>

struct simd_graph;
struct simd_kernel;

/* Why threads of a warp may have diverged at an operation of the region; NULL if they have not.
 * *blamed is the operation, if there is a reason. */
const char *simd_warp_refusal(const struct simd_kernel *kernel, const struct simd_graph *region,
                              LLVMValueRef *blamed);

#endif
