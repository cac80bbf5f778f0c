/* The shape of an instruction's result, from the shapes of its operands. */
#ifndef CDPCC_SIMD_ANALYSIS_TRANSFER_H
#define CDPCC_SIMD_ANALYSIS_TRANSFER_H
#include "simd/analysis/facts.h"

#include <llvm-c/Types.h>

struct simd_kernel;
struct simd_shape;

/* The result's shape for any instruction but a phi.  The result is affine only if the test
 * holds.
 * *test is TEST_NONE if no test of the instruction's own is needed. */
struct simd_shape simd_transfer(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                enum simd_test *test);
/* A select by a uniform condition whose operands have different shapes is assumed to take its
 * affine operand.  Returns the number of that operand, 1 or 2; 0: there is none. */
unsigned simd_choice_of(const struct simd_kernel *kernel, LLVMValueRef select);
/* The test is that of an extension, and the instruction's flags promise that it holds in all active
 * lanes. */
bool simd_is_flagged(const struct simd_kernel *kernel, LLVMValueRef instruction,
                     enum simd_test test);
/* The operation is blockIdx * blockDim, or that and threadIdx.  It does not wrap around, neither
 * signed nor unsigned, for any thread number of a chunk: the entry's test at launch ensures that
 * these are below 2^31. */
bool simd_is_below_limit(const struct simd_kernel *kernel, LLVMValueRef value);
/* The affine result starts with the sign extension of lane 0's operand. */
bool simd_extends_signed(LLVMValueRef instruction, struct simd_shape operand);
/* The shape of a phi of two values if no divergent paths join there. */
struct simd_shape simd_meet_shapes(struct simd_shape a, struct simd_shape b);

#endif
