/* A copy of a kernel's function for blocks of a known size. */
#ifndef CDPCC_SIMD_IR_CLONE_H
#define CDPCC_SIMD_IR_CLONE_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;
struct simd_size;

/* Creates a copy of the kernel's function in which the block's dimensions are constants.  The
 * caller owns the copy and deletes it when nothing refers to it any more. */
LLVMValueRef simd_clone_for_size(const struct simd_kernel *kernel, const struct simd_size *size,
                                 bool is_transposed);

#endif
