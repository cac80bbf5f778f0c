/* What accesses have to do with each other. */
#ifndef CDPCC_SIMD_ANALYSIS_ALIAS_H
#define CDPCC_SIMD_ANALYSIS_ALIAS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_kernel;

/* The address is surely in the block's shared memory. */
bool block_is_shared(LLVMValueRef address);
/* The kernel's shared memory is apart from its other memory. */
bool block_is_shared_apart(const struct block_kernel *kernel);
/* A hint of that name for the loop that the branch closes. */
void block_mark_loop(struct block_emit *emit, LLVMValueRef branch, const char *word);
/* The conditional branch hardly ever goes its second way. */
void block_mark_likely(struct block_emit *emit, LLVMValueRef branch);
void block_alias_start(struct block_emit *emit);
/* Has what is known of shared memory outlive the optimizer: see post/shared_memory.h. */
void block_alias_tell(struct block_emit *emit);
/* A store to the thread's context, which no access of the kernel reaches. */
void block_alias_mark_context(struct block_emit *emit, LLVMValueRef store);
/* An access of the entry that stands for the kernel's. */
void block_alias_mark(struct block_emit *emit, LLVMValueRef from, LLVMValueRef to);
/* A load of where shared memory begins. */
void block_alias_shared_base(struct block_emit *emit, LLVMValueRef from, LLVMValueRef to);

#endif
