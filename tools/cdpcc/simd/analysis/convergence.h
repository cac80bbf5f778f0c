/* Convergence: which lanes of a warp reach its warp operations together. */
#ifndef CDPCC_SIMD_ANALYSIS_CONVERGENCE_H
#define CDPCC_SIMD_ANALYSIS_CONVERGENCE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_graph;
struct simd_kernel;
struct simd_shape;
struct lower_context;

/* Why threads of a warp may have diverged at an operation of the region; NULL if they have not.
 * *blamed is the operation, if there is a reason. */
const char *simd_warp_refusal(const struct simd_kernel *kernel, const struct simd_graph *region,
                              LLVMValueRef *blamed);
/* Lets the optimizer see which lane a shuffle in a short loop reads.
 * It changes the function, so it comes before nodes and values are numbered. It only changes
 * functions that have warp operations. */
void simd_warp_prepare(struct lower_context *lower, LLVMValueRef function);

#endif
