/* The numbers of a kernel's values, which are the indices of all arrays by value. */
#ifndef CDPCC_SIMD_IR_NUMBERS_H
#define CDPCC_SIMD_IR_NUMBERS_H
#include <llvm-c/Types.h>

struct simd_kernel;

/* -1 for constants and for values that are defined outside of the kernel. */
int simd_number(const struct simd_kernel *kernel, LLVMValueRef value);

#endif
