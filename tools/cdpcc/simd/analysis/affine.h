/* How far the values of two blocks, or of two iterations, are apart. */
#ifndef CDPCC_SIMD_ANALYSIS_AFFINE_H
#define CDPCC_SIMD_ANALYSIS_AFFINE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_graph;

/* What from outside the loop is added to its header's phi in each iteration; NULL: nothing such. */
LLVMValueRef simd_step_of(const struct simd_graph *graph, int loop, LLVMValueRef phi);
struct simd_slope {
    bool is_known;
    LLVMValueRef by; /* i64, emitted where the builder is; NULL: unknown, or there is none */
};
/* Between the values that a block and the next one in the grid's x have. */
struct simd_slope simd_slope_by_block(struct simd_emit *emit, LLVMValueRef value);
/* Blocks that lie side by side in the grid's x have elements of that size side by side there, as
 * far as rows of their threads go. */
bool simd_continues_in_next_block(const struct simd_emit *emit, LLVMValueRef address, int64_t size);
/* Between an iteration's and the next one's; the iteration is emitted. */
struct simd_slope simd_slope_by_turn(struct simd_emit *emit, int loop, LLVMValueRef value);

#endif
