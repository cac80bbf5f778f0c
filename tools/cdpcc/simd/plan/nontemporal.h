/* Stores that go past the caches. */
#ifndef CDPCC_SIMD_PLAN_NONTEMPORAL_H
#define CDPCC_SIMD_PLAN_NONTEMPORAL_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_kernel;

/* The kernel is built, and its general shapes are known: which of its stores may be such, by
 * vectors of so many lanes. */
void simd_find_nontemporal(struct simd_kernel *kernel, unsigned lanes);
/* Of the function, and of a row of the entry that stands for the kernel's store. */
void simd_announce_nontemporal(struct simd_emit *emit);
void simd_mark_nontemporal(struct simd_emit *emit, LLVMValueRef store, LLVMValueRef made);
/* i1: the block's grid is large enough for them. */
LLVMValueRef simd_build_nontemporal(LLVMModuleRef module, LLVMBuilderRef builder,
                                    LLVMValueRef block, uint64_t thread_bytes);
/* Behind the last block of a call, before anybody is told that it is done. */
void simd_build_nontemporal_fence(LLVMModuleRef module, LLVMBuilderRef builder);

#endif
