/* The optimizer for block entries, which the module's own passes skip. */
#ifndef CDPCC_SIMD_POST_PIPELINE_H
#define CDPCC_SIMD_POST_PIPELINE_H
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/* Marks the function as a block entry, or as one that a block entry calls for a chunk.  One that
 * rarely runs takes less time to compile. */
void simd_optimize_mark(LLVMValueRef function, bool is_cold);
/* False for a mere declaration. */
bool simd_optimize_is_marked(LLVMValueRef function);
/* Called before the module's passes: from then on they skip block entries. */
void simd_optimize_hide(LLVMModuleRef module);
/* False if LLVM does not know the passes. */
bool simd_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine);
/* Runs last of all: see plan/nontemporal.c. */

#endif
