/* How far the values of two blocks, or of two iterations, are apart. */
#ifndef CDPCC_SIMD_ANALYSIS_AFFINE_H
#define CDPCC_SIMD_ANALYSIS_AFFINE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_graph;

/* What from outside the loop is added to its header's phi in each turn; NULL: nothing such. */
LLVMValueRef block_step_of(const struct block_graph *graph, int loop, LLVMValueRef phi);
struct block_slope {
    bool is_known;
    LLVMValueRef by; /* i64, emitted where the builder is; NULL: unknown, or there is none */
};
/* Between the values that a block and the next one in the grid's x have. */
struct block_slope block_slope_by_block(struct block_emit *emit, LLVMValueRef value);
/* Blocks that lie side by side in the grid's x have elements of that size side by side there, as
 * far as rows of their threads go. */
bool block_goes_on(const struct block_emit *emit, LLVMValueRef address, int64_t size);
/* Between a turn's and the next one's; the turn is emitted. */
struct block_slope block_slope_by_turn(struct block_emit *emit, int loop, LLVMValueRef value);

#endif
