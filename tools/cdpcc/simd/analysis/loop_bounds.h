/* Bounds that the conditions of loops give to their counters. */
#ifndef CDPCC_SIMD_ANALYSIS_LOOP_BOUNDS_H
#define CDPCC_SIMD_ANALYSIS_LOOP_BOUNDS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* Every thread that reaches the phi has compared its value: it is less than some number of its
 * type. So the value plus one does not wrap. */
bool simd_is_below_bound(LLVMValueRef phi, bool is_signed);

#endif
