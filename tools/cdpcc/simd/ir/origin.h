/* Where a kernel comes from: its function, the kernel of the source, and the unit. */
#ifndef CDPCC_SIMD_IR_ORIGIN_H
#define CDPCC_SIMD_IR_ORIGIN_H
#include <llvm-c/Types.h>

struct lower_context;
struct lower_kernel;
struct simd_callees;
struct simd_kernel;

struct lower_context *simd_context_of(const struct simd_kernel *kernel);
const struct lower_kernel *simd_source_of(const struct simd_kernel *kernel);
/* The thread entry, or its clone for a known size. */
LLVMValueRef simd_function_of(const struct simd_kernel *kernel);
/* The functions of the unit that kernels call; NULL: none is vectorized. */
struct simd_callees *simd_callees_of(const struct simd_kernel *kernel);

#endif
