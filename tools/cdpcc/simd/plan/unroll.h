/* Loops over chunks that become straight code. */
#ifndef CDPCC_SIMD_PLAN_UNROLL_H
#define CDPCC_SIMD_PLAN_UNROLL_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_kernel;

/* Of the block and all that are behind it in the function. */
unsigned block_count_instructions(LLVMBasicBlockRef from);
/* The loop that the branch closes shall be unrolled. */
void block_ask_to_unroll(struct block_emit *emit, LLVMValueRef branch);
/* The size is known, and steps for all of its threads may become straight code. */
bool block_is_straight_size(const struct block_kernel *kernel);
/* It has a loop like a tree's, which then may. */
bool block_has_short_loop(const struct block_kernel *kernel);

#endif
