/* Loops over the elements that one thread handles. */
#ifndef CDPCC_SIMD_PREPARE_COARSE_LOOPS_H
#define CDPCC_SIMD_PREPARE_COARSE_LOOPS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct lower_context;

enum {
    SIMD_MOST_COARSE_INSTRUCTIONS = 60, /* of one iteration */
    SIMD_MOST_COARSE_ITERATIONS = 16,
};

/* Unrolls such loops of the kernel. */
void simd_unroll_coarse_loops(struct lower_context *lower, LLVMValueRef function);

/* The number of iterations of a loop in which the phi counts up from 0 by 1, and the latch; 0: it
 * is no such loop. */
uint64_t simd_coarse_iterations(LLVMValueRef phi, LLVMBasicBlockRef *latch);
/* The counter of a loop is added to a multiple of its iterations, and the sum is an index. */
bool simd_counts_elements(struct lower_context *lower, LLVMValueRef phi, uint64_t iterations);
/* The phi is an index that starts with a multiple of the loop's iterations. */
bool simd_is_coarse_index(LLVMValueRef phi, LLVMValueRef first, uint64_t iterations);

#endif
