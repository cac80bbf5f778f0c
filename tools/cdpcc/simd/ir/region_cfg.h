/* Builds the nodes of a kernel and numbers its values. */
#ifndef CDPCC_SIMD_IR_REGION_CFG_H
#define CDPCC_SIMD_IR_REGION_CFG_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;

enum { SIMD_MOST_NODES = 600 };

/* False if the kernel is too large, or if it has an unknown terminator; then *blamed is the
 * terminator.
 * Needs kernel->function. Phis are numbered like other instructions. */
bool simd_kernel_build(struct simd_kernel *kernel, LLVMValueRef *blamed);
/* The node is the first one, or it follows a barrier. */
bool simd_starts_region(const struct simd_kernel *kernel, unsigned node);

#endif
