/* The function that chooses among a kernel's versions for each block. */
#ifndef CDPCC_SIMD_DISPATCH_H
#define CDPCC_SIMD_DISPATCH_H
#include <llvm-c/Types.h>

#include <stddef.h>

struct simd_kernel;
struct simd_versions;

/* Versions of one kernel that assume the same of launches (`kernel->conditions`). */
struct simd_alternative {
    const struct simd_kernel *kernel;
    const struct simd_versions *versions;
};

/* i32 (params, block, count).  Returns the number of blocks that it ran, from the block's index on.
 * 0: no version suits the block, which then runs by thread entries.  The first suitable version of
 * the first alternative whose conditions hold is chosen. */
LLVMValueRef simd_build_dispatch(const struct simd_alternative *alternatives, size_t count);

#endif
