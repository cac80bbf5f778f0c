/* Why a kernel stays on thread entries. */
#ifndef CDPCC_SIMD_ANALYSIS_LEGALITY_H
#define CDPCC_SIMD_ANALYSIS_LEGALITY_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;

/* NULL, or why the kernel cannot have block entries, whatever the version; *blamed is the
 * instruction, if there is one.  Sets the kernel's traits. */
const char *simd_refusal(struct simd_kernel *kernel, LLVMValueRef *blamed);
/* Likewise, by the shapes of a version.  *exits_early: threads may end before a barrier that others
 * reach. */
const char *simd_refusal_of_shapes(const struct simd_kernel *kernel, bool *exits_early,
                                   LLVMValueRef *blamed);
/* Threads of a block of any size may wait at different barriers. */
bool simd_parts_at_barriers(const struct simd_kernel *kernel);

#endif
