/* How a value differs between the lanes of a chunk: the queries that most passes need. */
#ifndef CDPCC_SIMD_ANALYSIS_UNIFORMITY_H
#define CDPCC_SIMD_ANALYSIS_UNIFORMITY_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;

/* Values that are no values of the kernel, such as constants, are uniform. */

/* All threads of the block have one value. */
bool simd_is_uniform(const struct simd_kernel *kernel, LLVMValueRef value);
/* All threads of a warp have one value; warps may differ. */
bool simd_is_uniform_in_warp(const struct simd_kernel *kernel, LLVMValueRef value);
/* All lanes of a vector have one value; vectors may differ. */
bool simd_is_scalar(const struct simd_kernel *kernel, LLVMValueRef value);
/* Each lane may have any value. */
bool simd_is_varying(const struct simd_kernel *kernel, LLVMValueRef value);

#endif
