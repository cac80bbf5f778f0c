/* A copy of a kernel's function for blocks of a known size. */
#ifndef CDPCC_SIMD_IR_CLONE_H
#define CDPCC_SIMD_IR_CLONE_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct lower_context;
struct simd_copies;
struct simd_kernel;
struct simd_size;

/* Creates a copy of the kernel's function in which the block's dimensions are constants.  The
 * caller owns the copy and deletes it when nothing refers to it any more. */
LLVMValueRef simd_clone_for_size(const struct simd_kernel *kernel, const struct simd_size *size,
                                 bool is_transposed);
/* Creates a copy of a function that kernels call.  Like a thread entry, its first parameter is the
 * address of the kernel's parameters, which it does not use; its own parameters follow.  The caller
 * owns the copy. */
LLVMValueRef simd_clone_as_kernel(struct lower_context *lower, LLVMValueRef original);
/* Creates a function of that type and name with a copy of the original's body.  The original's
 * parameters become the first ones of the copy. */
LLVMValueRef simd_clone_as(struct lower_context *lower, LLVMValueRef original, const char *name,
                           LLVMTypeRef type);
/* Copies blocks within their function. A value that is defined in one of them has a copy; others
 * stay. Edges and phis of other blocks do not change. In the arena. */
struct simd_copies *simd_copy_blocks(struct lower_context *lower, const LLVMBasicBlockRef *blocks,
                                     unsigned count);
/* The copy of a value or of a block as a value; itself if it has none. */
LLVMValueRef simd_copy_of(const struct simd_copies *copies, LLVMValueRef value);
/* Inlines the call of a known function, recursive or not.  The call's block must be its function's
 * only one.  The call is deleted. */
void simd_inline_into_block(struct lower_context *lower, LLVMValueRef call);

#endif
