/* Block entries that are compiled in a process of their own, beside the rest of the module.
 *
 * They are most of what is compiled, and functions that know nothing of each other. The ones
 * that are chosen become symbols of the object, hidden and with the unit in their names. Which
 * are chosen depends on the code alone: objects are the same wherever they are made. */
#ifndef CDPCC_BLOCK_APART_H
#define CDPCC_BLOCK_APART_H

#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/* Chooses about half of the work; false if that is not worth a process. */
bool block_apart_choose(LLVMModuleRef module, const char *unit);

/* In the one process: the chosen ones are somewhere else. */
void block_apart_leave(LLVMModuleRef module);

/* In the other: so is all else. False if LLVM does not know the pass. */
bool block_apart_keep(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
