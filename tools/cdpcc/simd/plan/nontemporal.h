/* Stores that go past the caches. */
#ifndef CDPCC_SIMD_PLAN_NONTEMPORAL_H
#define CDPCC_SIMD_PLAN_NONTEMPORAL_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_kernel;

/* The kernel is built, and its general shapes are known: which of its stores may be such, by
 * vectors of so many lanes. */
void block_find_streams(struct block_kernel *kernel, unsigned lanes);
/* Of the function, and of a row of the entry that stands for the kernel's store. */
void block_say_streams(struct block_emit *emit);
void block_mark_stream(struct block_emit *emit, LLVMValueRef store, LLVMValueRef made);
/* i1: the block's grid is large enough for them. */
LLVMValueRef block_build_streams(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef block,
                                 uint64_t thread_bytes);
/* Behind the last block of a call, before anybody is told that it is done. */
void block_build_stream_fence(LLVMModuleRef module, LLVMBuilderRef builder);

#endif
