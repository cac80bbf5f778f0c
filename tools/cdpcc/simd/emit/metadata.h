/* Metadata of what is emitted: alias scopes, hints for loops and branches. */
#ifndef CDPCC_SIMD_EMIT_METADATA_H
#define CDPCC_SIMD_EMIT_METADATA_H
#include <llvm-c/Types.h>

struct simd_emit;

/* Instructions that may become straight code for all chunks of a block whose size is known; more
 * where masks become constants: that leaves a tenth of them, and blocks of 1,024 threads, which are
 * common, took ten to fifty times as long otherwise. */
enum { SIMD_STRAIGHT = 1000, SIMD_STRAIGHT_TREE = 12000 };

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
/* Of the block and all that are behind it in the function. */
unsigned simd_count_instructions(LLVMBasicBlockRef from);
/* The loop that the branch closes shall be unrolled. */
void simd_ask_to_unroll(struct simd_emit *emit, LLVMValueRef branch);

#endif
