/* The shape of an instruction's result, from the shapes of its operands. */
#ifndef CDPCC_SIMD_ANALYSIS_TRANSFER_H
#define CDPCC_SIMD_ANALYSIS_TRANSFER_H
#include "simd/analysis/shape.h"

#include <llvm-c/Types.h>

struct simd_kernel;

/* For any instruction but a phi.  The result is affine only if the test holds. */
struct simd_shape simd_transfer(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                enum simd_test *test);
/* For a select by a uniform condition whose operands have different shapes: the number of the
 * operand, 1 or 2, that is assumed to be selected since it is affine.  0: none. */
unsigned simd_choice_of(const struct simd_kernel *kernel, LLVMValueRef select);
/* The test is that of an extension, and the instruction's flags promise that it holds in all active
 * lanes. */
bool simd_is_flagged(const struct simd_kernel *kernel, LLVMValueRef instruction,
                     enum simd_test test);
/* The affine result starts with the sign extension of lane 0's operand. */
bool simd_extends_signed(LLVMValueRef instruction, struct simd_shape operand);
/* The shape of a phi of two values if no divergent paths join there. */
struct simd_shape simd_meet_shapes(struct simd_shape a, struct simd_shape b);

#endif
