/* The plan of the fault context: where chunks publish which threads are active, for reports of
 * faults. */
#ifndef CDPCC_SIMD_PLAN_FAULT_CONTEXT_H
#define CDPCC_SIMD_PLAN_FAULT_CONTEXT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_graph;

/* The points at which the chunks of a region publish that their threads are active. */
struct simd_publishing {
    bool any;
    bool first;  /* at the chunk's start, before all else */
    bool *nodes; /* by node: at its start; not if `first` */
    bool lasts;  /* other regions may follow */
};
/* The array is in the arena. */
struct simd_publishing simd_find_publishing(const struct simd_graph *graph);

#endif
