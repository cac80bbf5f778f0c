/* Who is at work, for reports of faults. */
#ifndef CDPCC_SIMD_PLAN_FAULT_CONTEXT_H
#define CDPCC_SIMD_PLAN_FAULT_CONTEXT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_graph;

/* Where the chunks of a region tell, for reports of faults, that they are at work. */
struct block_telling {
    bool any;
    bool first;  /* before all else */
    bool *nodes; /* at the beginning of these nodes; not if `first` */
    bool lasts;  /* other regions may follow */
};
struct block_telling block_find_telling(const struct block_emit *emit,
                                        const struct block_graph *graph);
/* The chunk, one of its threads, or nobody in particular is at work. */
void block_tell_chunk(struct block_emit *emit);
void block_tell_thread(struct block_emit *emit, LLVMValueRef thread);
void block_tell_nobody(struct block_emit *emit);

#endif
