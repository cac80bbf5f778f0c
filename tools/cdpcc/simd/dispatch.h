/* The function that chooses among a kernel's versions for each block. */
#ifndef CDPCC_SIMD_DISPATCH_H
#define CDPCC_SIMD_DISPATCH_H
#include <llvm-c/Types.h>

struct simd_kernel;
struct simd_versions;

/* i32 (params, block, count).  Returns the number of blocks that it ran, from the block's index on.
 * 0: no version suits the block, which then runs by thread entries. */
LLVMValueRef simd_build_dispatch(const struct simd_kernel *kernel,
                                 const struct simd_versions *versions);

#endif
