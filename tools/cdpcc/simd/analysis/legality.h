/* Legality: why a kernel has only thread entries. */
#ifndef CDPCC_SIMD_ANALYSIS_LEGALITY_H
#define CDPCC_SIMD_ANALYSIS_LEGALITY_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;

/* NULL, or why the kernel cannot have block entries in any version.  *blamed is the instruction
 * that causes it, if there is one. Sets the kernel's traits.
 * The text is constant or in the arena. */
const char *simd_refusal(struct simd_kernel *kernel, LLVMValueRef *blamed);
/* NULL, or why one version cannot be, by its shapes.  *exits_early: threads may end before a
 * barrier that others reach. */
const char *simd_refusal_of_shapes(const struct simd_kernel *kernel, bool *exits_early,
                                   LLVMValueRef *blamed);
/* Threads of a block may wait at different barriers, for some block size. */
bool simd_diverges_at_barriers(const struct simd_kernel *kernel);

#endif
