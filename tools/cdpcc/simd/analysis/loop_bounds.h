/* Bounds that the conditions of loops give to their counters. */
#ifndef CDPCC_SIMD_ANALYSIS_LOOP_BOUNDS_H
#define CDPCC_SIMD_ANALYSIS_LOOP_BOUNDS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* Every thread that reaches the phi has compared its value: it is less, or greater, than another
 * number of its type. So of two threads whose values differ by one modulo the type's width, neither
 * has the greatest number while the other has the least. */
bool simd_is_bounded(LLVMValueRef phi, bool is_signed);

#endif
