/* Prefetches of what later iterations of a loop read. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_LOOP_H
#define CDPCC_SIMD_PLAN_PREFETCH_LOOP_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_graph;

/* An index, and what is added to it in each iteration: the threads of the grid. */
struct simd_stride {
    LLVMValueRef index, step; /* step is NULL: the loop has none */
};
struct simd_stride simd_find_stride(const struct simd_graph *graph, int loop);
/* Bytes of each lane, if the instruction is a load of neighbouring elements by the index; else 0.
 */
int64_t simd_strides_by(const struct simd_graph *graph, const struct simd_stride *stride,
                        LLVMValueRef at);
/* The value is made of one of the three numbers that the block has from that field on, by
 * arithmetic of so many steps. */
bool simd_depends_on_field(LLVMValueRef value, size_t field, unsigned depth);
/* The value is made of the phi, by arithmetic of a few steps. */
bool simd_depends_on(LLVMValueRef value, LLVMValueRef phi);
/* At the end of an iteration that all lanes went, whose last node decides by a comparison. */
void simd_prefetch_ahead(struct simd_emit *emit, int loop, unsigned last, bool wanted);
/* Hints for the lines that lie offset (i64) bytes behind. */
void simd_prefetch(struct simd_emit *emit, LLVMValueRef start, LLVMValueRef offset, int64_t bytes);

#endif
