/* The numbers of a kernel's values, which are the indices of all arrays by value. */
#ifndef CDPCC_SIMD_IR_NUMBERS_H
#define CDPCC_SIMD_IR_NUMBERS_H
#include <llvm-c/Types.h>
#include <stddef.h>

struct simd_kernel;

/* -1 for constants and for values that are defined outside of the kernel. */
int simd_number(const struct simd_kernel *kernel, LLVMValueRef value);
/* The node that computes the value; -1: it is an argument, or no value of the kernel. */
int simd_node_of(const struct simd_kernel *kernel, LLVMValueRef value);
int simd_node_of_number(const struct simd_kernel *kernel, size_t number);

#endif
