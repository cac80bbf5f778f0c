/* Checks what always holds of a kernel and of its graphs. */
#ifndef CDPCC_SIMD_IR_VALID_H
#define CDPCC_SIMD_IR_VALID_H
#include <stdbool.h>

struct simd_graph;
struct simd_kernel;

/* False, with a message on standard error, if values, nodes or edges contradict each other. */
bool simd_kernel_is_valid(const struct simd_kernel *kernel);
/* The same for the order, the dominators and the loops of a graph.
 * The kernel must be valid. */
bool simd_graph_is_valid(const struct simd_graph *graph);

#endif
