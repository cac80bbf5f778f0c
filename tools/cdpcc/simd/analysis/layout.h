/* The properties of lanes and of threads' variables that follow from the block's layout. */
#ifndef CDPCC_SIMD_ANALYSIS_LAYOUT_H
#define CDPCC_SIMD_ANALYSIS_LAYOUT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

enum { SIMD_MOST_PADDING = 2 }; /* lanes of a padded row for each thread in it, at most */

/* Each vector lies within one row of the block. */
bool simd_has_rows(const struct simd_kernel *kernel);
/* Each warp lies within one row of the block: its rows are known to be whole warps. */
bool simd_has_rows_of_warps(const struct simd_kernel *kernel);
/* Lanes for each thread, at most.  It is more than one if rows are padded. */
unsigned simd_lanes_per_thread(const struct simd_kernel *kernel);
/* Each thread has a copy of a variable of the function: the bytes of a copy. */
uint64_t simd_local_size(const struct simd_kernel *kernel, LLVMValueRef alloca);
/* The bytes from one thread's copy to that of the next thread in the vector. */
uint64_t simd_local_stride(const struct simd_kernel *kernel, LLVMValueRef alloca);

#endif
