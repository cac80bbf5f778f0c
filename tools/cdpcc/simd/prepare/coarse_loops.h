/* Loops over the elements that one thread handles. */
#ifndef CDPCC_SIMD_PREPARE_COARSE_LOOPS_H
#define CDPCC_SIMD_PREPARE_COARSE_LOOPS_H
#include <llvm-c/Types.h>

struct lower_context;

/* Unrolls such loops of the kernel. */
void simd_unroll_coarse_loops(struct lower_context *lower, LLVMValueRef function);

#endif
