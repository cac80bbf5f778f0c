/* Grid-stride loops, and dependences of values on launch values. */
#ifndef CDPCC_SIMD_ANALYSIS_GRID_STRIDE_H
#define CDPCC_SIMD_ANALYSIS_GRID_STRIDE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simd_graph;

/* An index, and what is added to it in each iteration: the number of threads of the grid. */
struct simd_grid_stride {
    LLVMValueRef index, step; /* step is NULL if the loop is not a grid-stride loop */
};
/* The first phi of the header that has such a step. */
struct simd_grid_stride simd_find_stride(const struct simd_graph *graph, int loop);
/* Bytes of each lane if the instruction is a contiguous load at the index; else 0. */
int64_t simd_strides_by(const struct simd_graph *graph, const struct simd_grid_stride *stride,
                        LLVMValueRef at);
/* The value is computed, by at most so many operations, from one of the three numbers of the block
 * that start at that field. */
bool simd_depends_on_field(LLVMValueRef value, size_t field, unsigned depth);
/* The value is computed from the phi by a few operations. */
bool simd_depends_on(LLVMValueRef value, LLVMValueRef phi);

#endif
