/* Interleaves the threads' copies of local arrays. */
#ifndef CDPCC_SIMD_PREPARE_INTERLEAVE_LOCALS_H
#define CDPCC_SIMD_PREPARE_INTERLEAVE_LOCALS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct lower_context;

/* Whether the function has a local array that can be interleaved. */
bool simd_has_interleavable_locals(struct lower_context *lower, LLVMValueRef function);
/* Changes these arrays and their addresses in the function. It then is only good for block
 * entries: the allocas stand for one thread's copy (analysis/layout.h). */
void simd_interleave_locals(struct lower_context *lower, LLVMValueRef function);

#endif
