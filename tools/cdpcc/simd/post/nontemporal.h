/* Makes stores nontemporal, after the optimizer. */
#ifndef CDPCC_SIMD_POST_NONTEMPORAL_H
#define CDPCC_SIMD_POST_NONTEMPORAL_H
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>
#include <stdint.h>

/* The kind of metadata of a store that may be nontemporal.  On the entry, its operand is the number
 * of bytes that each thread writes by these stores. */
#define SIMD_NONTEMPORAL_MARK "cdp.stream"

/* i1: the block's grid is large enough for nontemporal stores. */
LLVMValueRef simd_build_nontemporal(LLVMModuleRef module, LLVMBuilderRef builder,
                                    LLVMValueRef block, uint64_t thread_bytes);
/* Emitted after the last block of a call, before the call is reported as done. */
void simd_build_nontemporal_fence(LLVMModuleRef module, LLVMBuilderRef builder);
/* Makes the marked stores nontemporal where that holds. */
void simd_split_nontemporal(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
