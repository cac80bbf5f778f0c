/* All values of a kernel: its arguments and instructions, phis among them. */
#ifndef CDPCC_SIMD_IR_VALUES_H
#define CDPCC_SIMD_IR_VALUES_H
#include <llvm-c/Types.h>
#include <stddef.h>

struct simd_kernel;

/* The value of that number. */
LLVMValueRef simd_value_at(const struct simd_kernel *kernel, size_t number);

#endif
