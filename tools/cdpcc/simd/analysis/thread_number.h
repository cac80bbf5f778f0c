/* Values that are the number of the thread in its block. */
#ifndef CDPCC_SIMD_ANALYSIS_THREAD_NUMBER_H
#define CDPCC_SIMD_ANALYSIS_THREAD_NUMBER_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* The value is the number of the thread in its block, of any type, and vectors begin at multiples
 * of the lanes.  Padded rows do not meet the latter. */
bool simd_is_thread_number(const struct simd_kernel *kernel, LLVMValueRef value);
/* The value is a sum of threadIdx.x, .y and .z that is the number of the thread in a block of
 * known size. */
bool simd_is_sum_to_thread_number(const struct simd_kernel *kernel, LLVMValueRef value);
/* The value is a constant that is not negative; *number is its value, or 0 otherwise. */
bool simd_small_constant(LLVMValueRef value, uint64_t *number);

#endif
