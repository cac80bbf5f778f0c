/* What accesses have to do with each other. */
#ifndef CDPCC_SIMD_ANALYSIS_ALIAS_H
#define CDPCC_SIMD_ANALYSIS_ALIAS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_kernel;

/* The address is surely in the block's shared memory. */
bool simd_is_shared(LLVMValueRef address);
/* The kernel's shared memory is apart from its other memory. */
bool simd_is_shared_apart(const struct simd_kernel *kernel);
/* A hint of that name for the loop that the branch closes. */
void simd_mark_loop(struct simd_emit *emit, LLVMValueRef branch, const char *word);
/* The conditional branch hardly ever goes its second way. */
void simd_mark_likely(struct simd_emit *emit, LLVMValueRef branch);
void simd_alias_start(struct simd_emit *emit);
/* Has what is known of shared memory outlive the optimizer: see post/shared_memory.h. */
void simd_alias_tell(struct simd_emit *emit);
/* A store to the thread's context, which no access of the kernel reaches. */
void simd_alias_mark_context(struct simd_emit *emit, LLVMValueRef store);
/* An access of the entry that stands for the kernel's. */
void simd_alias_mark(struct simd_emit *emit, LLVMValueRef from, LLVMValueRef to);
/* A load of where shared memory begins. */
void simd_alias_shared_base(struct simd_emit *emit, LLVMValueRef from, LLVMValueRef to);

#endif
