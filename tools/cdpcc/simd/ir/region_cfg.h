/* Builds the nodes and numbers of a kernel. */
#ifndef CDPCC_SIMD_IR_REGION_CFG_H
#define CDPCC_SIMD_IR_REGION_CFG_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* False if it is too large, or has a terminator that is not known, which is *blamed then. */
bool simd_kernel_build(struct simd_kernel *kernel, LLVMValueRef *blamed);
/* -1 for constants and what is defined outside. */
int simd_number(const struct simd_kernel *kernel, LLVMValueRef value);
/* The value the phi has when control comes from the node. */
LLVMValueRef simd_phi_value(const struct simd_kernel *kernel, LLVMValueRef phi, unsigned from);
/* A barrier, or nothing, comes before the node. */
bool simd_starts_region(const struct simd_kernel *kernel, unsigned node);

/* The node's phis. */
LLVMValueRef simd_first_phi(const struct simd_kernel *kernel, unsigned node);
LLVMValueRef simd_next_phi(LLVMValueRef phi);
size_t simd_count_phis(const struct simd_kernel *kernel, unsigned node);

#endif
