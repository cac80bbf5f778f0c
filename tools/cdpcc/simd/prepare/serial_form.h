/* Kernels whose threads may run one after the other, and what such a kernel loads. */
#ifndef CDPCC_SIMD_PREPARE_SERIAL_FORM_H
#define CDPCC_SIMD_PREPARE_SERIAL_FORM_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct lower_context;
struct lower_kernel;

/* Whether the kernel's threads may run one after the other, provided that its loops do not wait for
 * other threads. */
bool simd_may_be_serial(struct lower_context *lower, const struct lower_kernel *kernel);

/* Of a load in such a kernel: whether it loads threadIdx or the thread's number in its block; one
 * of blockIdx, blockDim, gridDim and the number of threads. */
bool simd_is_thread_field(struct lower_context *lower, LLVMValueRef load);
bool simd_is_block_field(struct lower_context *lower, LLVMValueRef load);

#endif
