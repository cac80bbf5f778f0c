/* Prefetches of what later iterations of a loop read. */
#ifndef CDPCC_SIMD_PLAN_PREFETCH_LOOP_H
#define CDPCC_SIMD_PLAN_PREFETCH_LOOP_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_graph;

/* An index, and what is added to it in each turn: the threads of the grid. */
struct block_stride {
    LLVMValueRef index, step; /* step is NULL: the loop has none */
};
struct block_stride block_find_stride(const struct block_graph *graph, int loop);
/* Bytes of each lane, if the instruction is a load of neighbouring elements by the index; else 0.
 */
int64_t block_strides_by(const struct block_graph *graph, const struct block_stride *stride,
                         LLVMValueRef at);
/* The value is made of one of the three numbers that the block has from that field on, by
 * arithmetic of so many steps. */
bool block_asks_for(LLVMValueRef value, size_t field, unsigned depth);
/* The value is made of the phi, by arithmetic of a few steps. */
bool block_hangs_on(LLVMValueRef value, LLVMValueRef phi);
/* At the end of a turn that all lanes went, whose last node decides by a comparison. */
void block_look_ahead(struct block_emit *emit, int loop, unsigned last, bool wanted);
/* Hints for the lines that lie offset (i64) bytes behind. */
void block_ask_for(struct block_emit *emit, LLVMValueRef start, LLVMValueRef offset, int64_t bytes);

#endif
