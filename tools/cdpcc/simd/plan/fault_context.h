/* Who is active, for reports of faults. */
#ifndef CDPCC_SIMD_PLAN_FAULT_CONTEXT_H
#define CDPCC_SIMD_PLAN_FAULT_CONTEXT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_graph;

/* Where the chunks of a region tell, for reports of faults, that they are active. */
struct simd_publishing {
    bool any;
    bool first;  /* before all else */
    bool *nodes; /* at the beginning of these nodes; not if `first` */
    bool lasts;  /* other regions may follow */
};
struct simd_publishing simd_find_publishing(const struct simd_emit *emit,
                                            const struct simd_graph *graph);
/* Publishes that the chunk, one of its threads, or no known thread is active. */
void simd_publish_chunk(struct simd_emit *emit);
void simd_publish_thread(struct simd_emit *emit, LLVMValueRef thread);
void simd_publish_nobody(struct simd_emit *emit);

#endif
