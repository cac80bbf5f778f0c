/* The preparation of functions for the vectorizer, and kernels built from them. */
#ifndef CDPCC_SIMD_BUILD_H
#define CDPCC_SIMD_BUILD_H
#include <llvm-c/Types.h>

struct lower_context;
struct lower_kernel;
struct simd_kernel;

/* Changes to a thread entry, or to a function in its form, before the kernel is built. */
void simd_prepare_kernel(struct lower_context *lower, LLVMValueRef entry);
/* Builds the kernel, whose callees are set.  NULL, or the reason why it has only thread entries;
 * *blamed may be an instruction. */
const char *simd_build_kernel(struct lower_context *lower, const struct lower_kernel *source,
                              LLVMValueRef function, struct simd_kernel *kernel,
                              LLVMValueRef *blamed);
/* Gives loops with two entries a single one, and a value that selects where to continue. */
void simd_make_reducible(struct lower_context *lower, LLVMValueRef function);

#endif
