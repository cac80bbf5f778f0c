/* Builds the nodes of a kernel and numbers its values. */
#ifndef CDPCC_SIMD_IR_REGION_CFG_H
#define CDPCC_SIMD_IR_REGION_CFG_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* False if the kernel is too large, or if it has an unknown terminator; then *blamed is the
 * terminator.
 * Needs kernel->function. Phis are numbered like other instructions. */
bool simd_kernel_build(struct simd_kernel *kernel, LLVMValueRef *blamed);
/* -1 for constants and for values that are defined outside of the kernel. */
int simd_number(const struct simd_kernel *kernel, LLVMValueRef value);
/* The value the phi has when control comes from the node. */
LLVMValueRef simd_phi_value(const struct simd_kernel *kernel, LLVMValueRef phi, unsigned from);
/* The node is the first one, or it follows a barrier. */
bool simd_starts_region(const struct simd_kernel *kernel, unsigned node);

/* Iteration over the node's phis. */
LLVMValueRef simd_first_phi(const struct simd_kernel *kernel, unsigned node);
LLVMValueRef simd_next_phi(LLVMValueRef phi);
size_t simd_count_phis(const struct simd_kernel *kernel, unsigned node);

#endif
