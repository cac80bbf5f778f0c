/* The optimizer for block entries, which the module's passes leave alone. */
#ifndef CDPCC_BLOCK_OPTIMIZE_H
#define CDPCC_BLOCK_OPTIMIZE_H
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/* The function is a block entry; one that hardly ever runs takes less time to compile. */
void block_optimize_mark(LLVMValueRef function, bool is_seldom);
bool block_optimize_is_marked(LLVMValueRef function);
/* Around the module's passes: none of them works on block entries meanwhile. */
void block_optimize_hide(LLVMModuleRef module);
/* False if LLVM does not know the passes. */
bool block_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine);
/* Last of all; plan/nontemporal.c. */
void block_split_streams(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
