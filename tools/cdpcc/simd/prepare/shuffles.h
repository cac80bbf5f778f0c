/* Makes the source lanes of shuffles constants, where short loops have them. */
#ifndef CDPCC_SIMD_PREPARE_SHUFFLES_H
#define CDPCC_SIMD_PREPARE_SHUFFLES_H
#include <llvm-c/Types.h>

struct lower_context;

/* Lets the optimizer see which lane a shuffle in a short loop reads.
 * It changes the function, so it comes before nodes and values are numbered. It only changes
 * functions that have warp operations. */
void simd_prepare_shuffles(struct lower_context *lower, LLVMValueRef function);

#endif
