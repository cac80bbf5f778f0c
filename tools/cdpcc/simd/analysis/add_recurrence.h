/* Add-recurrences: values that grow by the same step in each iteration of a loop. */
#ifndef CDPCC_SIMD_ANALYSIS_ADD_RECURRENCE_H
#define CDPCC_SIMD_ANALYSIS_ADD_RECURRENCE_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_graph;
struct simd_kernel;

/* The value from outside the loop that is added to its header's phi in each iteration.  NULL: the
 * phi is not such a sum. */
LLVMValueRef simd_step_of(const struct simd_graph *graph, int loop, LLVMValueRef phi);
/* The start value of a loop's phi to which a uniform value is added in each iteration; else
 * NULL. */
LLVMValueRef simd_start_of_stride(const struct simd_kernel *kernel, LLVMValueRef phi);
/* The value is defined in the loop. */
bool simd_is_in_loop(const struct simd_graph *graph, int loop, LLVMValueRef value);

#endif
