/* Calls of the runtime's yield in code that polls; works on optimized code. */
#ifndef CDPCC_LOWER_YIELD_H
#define CDPCC_LOWER_YIELD_H
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/* Inserts calls of cdp_abi_yield into functions that poll, except block entries. optimized: the
 * module went through the optimizer; if not, any loop with such an access counts as polling. */
void lower_yield(LLVMModuleRef module, LLVMTargetMachineRef machine, bool optimized);

#endif
