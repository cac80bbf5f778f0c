/* The optimizer for block entries, which the module's passes leave alone. */
#ifndef CDPCC_BLOCK_OPTIMIZE_H
#define CDPCC_BLOCK_OPTIMIZE_H
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/* The function is a block entry; one that hardly ever runs takes less time to compile. */
void simd_optimize_mark(LLVMValueRef function, bool is_cold);
bool simd_optimize_is_marked(LLVMValueRef function);
/* Around the module's passes: none of them works on block entries meanwhile. */
void simd_optimize_hide(LLVMModuleRef module);
/* False if LLVM does not know the passes. */
bool simd_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine);
/* Last of all; plan/nontemporal.c. */

#endif
