/* Nontemporal stores, after the optimizer. */
#ifndef CDPCC_SIMD_POST_NONTEMPORAL_H
#define CDPCC_SIMD_POST_NONTEMPORAL_H
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>
#include <stdint.h>

/* The metadata of a store that may be nontemporal; and of the entry, with the bytes that each
 * thread writes so. */
#define SIMD_NONTEMPORAL_MARK "cdp.stream"

/* i1: the block's grid is large enough for them. */
LLVMValueRef simd_build_nontemporal(LLVMModuleRef module, LLVMBuilderRef builder,
                                    LLVMValueRef block, uint64_t thread_bytes);
/* After the last block of a call, before anybody is told that it is done. */
void simd_build_nontemporal_fence(LLVMModuleRef module, LLVMBuilderRef builder);
/* Makes the marked stores nontemporal where that holds. */
void simd_split_nontemporal(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
