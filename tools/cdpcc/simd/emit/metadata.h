/* Metadata of the emitted code: alias scopes, and hints for loops and branches. */
#ifndef CDPCC_SIMD_EMIT_METADATA_H
#define CDPCC_SIMD_EMIT_METADATA_H
#include <llvm-c/Types.h>

struct simd_emit;

/* Adds a hint of that name to the loop whose back edge the branch is. */
void simd_mark_loop(struct simd_emit *emit, LLVMValueRef branch, const char *word);
/* Creates the scopes of the function; to be called before any access is emitted. */
void simd_alias_start(struct simd_emit *emit);
/* Publishes the entry's alias facts about shared memory, so that they outlive the optimizer: see
 * post/shared_memory.h. */
void simd_alias_publish(struct simd_emit *emit);
/* A store to the thread's context, which no access of the kernel aliases. */
void simd_alias_mark_context(struct simd_emit *emit, LLVMValueRef store);
/* An access of the entry that implements the kernel's access `from`. */
void simd_alias_mark(struct simd_emit *emit, LLVMValueRef from, LLVMValueRef to);
/* The same for volatile: `to` is a load or store. */
void simd_keep_volatile(LLVMValueRef from, LLVMValueRef to);
/* A load of the address of shared memory. */
void simd_alias_shared_base(struct simd_emit *emit, LLVMValueRef from, LLVMValueRef to);
/* Instructions of the block and of all blocks after it in the function. One that becomes much code
 * counts as several. */
unsigned simd_count_instructions(LLVMBasicBlockRef from);

#endif
