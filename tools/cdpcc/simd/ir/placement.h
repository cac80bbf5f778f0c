/* In which node each value of a kernel is computed. */
#ifndef CDPCC_SIMD_IR_PLACEMENT_H
#define CDPCC_SIMD_IR_PLACEMENT_H
#include <llvm-c/Types.h>
#include <stddef.h>

struct simd_kernel;

/* The node that computes the value; -1: it is an argument, or no value of the kernel. */
int simd_node_of(const struct simd_kernel *kernel, LLVMValueRef value);
int simd_node_of_number(const struct simd_kernel *kernel, size_t number);

#endif
