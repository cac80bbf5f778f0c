/* Block entries that are compiled in processes of their own, beside the rest of the module.
 *
 * They are most of what is compiled, and functions that know nothing of each other. The ones
 * that can go become symbols of the object, hidden and with the unit in their names. What goes
 * where depends on the code alone: objects are the same wherever they are made. */
#ifndef CDPCC_BLOCK_APART_H
#define CDPCC_BLOCK_APART_H
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

enum { SIMD_APART_MOST = 4 };

/* Divides them into parts of about the same work: how many, 0 if it is not worth a process. */
unsigned simd_partition_choose(LLVMModuleRef module, const char *unit);

/* In the first process: what is in a part is somewhere else. */
void simd_partition_leave(LLVMModuleRef module);

/* In that of a part: so is all else. False if LLVM does not know the pass. */
bool simd_partition_keep(LLVMModuleRef module, LLVMTargetMachineRef machine, unsigned part);

#endif
