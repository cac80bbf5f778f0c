/* The phis of a node. */
#ifndef CDPCC_SIMD_IR_PHIS_H
#define CDPCC_SIMD_IR_PHIS_H
#include <llvm-c/Types.h>
#include <stddef.h>

struct simd_kernel;

/* The value the phi has when control comes from the node. */
LLVMValueRef simd_phi_value(const struct simd_kernel *kernel, LLVMValueRef phi, unsigned from);
/* Iteration over the node's phis. */
LLVMValueRef simd_first_phi(const struct simd_kernel *kernel, unsigned node);
LLVMValueRef simd_next_phi(LLVMValueRef phi);
size_t simd_count_phis(const struct simd_kernel *kernel, unsigned node);

#endif
