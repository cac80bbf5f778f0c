/* The call graph of the module, from direct calls. */
#ifndef CDPCC_IR_CALL_GRAPH_H
#define CDPCC_IR_CALL_GRAPH_H
#include "ir/context.h"
#include "ir/value.h"

/* A snapshot of the module's calls: later changes of the module do not change it. Functions have
 * numbers from 0 in the order of the module. All arrays have count entries, in the arena. */
struct lower_graph {
    LLVMValueRef *functions; /* count entries; the index is the function's number */
    size_t count;
    struct lower_map numbers;
    unsigned **callees; /* direct, defined or not */
    size_t *callee_count;
    bool *is_address_taken;
    bool *calls_unknown; /* calls through a pointer, or inline assembly */
};
/* Replaces *graph. Aliases of functions count as the function. */
void lower_graph_build(struct lower_context *lower, struct lower_graph *graph);
/* Sets reached[i] for each function that a call of function number from may run, including itself.
 * reached has one entry for each function. Functions that are already set count as searched, so
 * several calls with one array give the union. */
void lower_graph_reach(const struct lower_graph *graph, unsigned from, bool *reached);
/* Whether a call of function number from may run function number to; true if they are the same. */
bool lower_graph_reaches(const struct lower_graph *graph, unsigned from, unsigned to);
/* Whether a call of the function may run it again. */
bool lower_graph_is_recursive(const struct lower_graph *graph, unsigned function);

#endif
