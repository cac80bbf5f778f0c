/* Calls of the runtime's yield in code that polls; works on optimized code. */
#ifndef CDPCC_LOWER_YIELD_H
#define CDPCC_LOWER_YIELD_H
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

void lower_yield(LLVMModuleRef module, LLVMTargetMachineRef machine, bool optimized);

#endif
