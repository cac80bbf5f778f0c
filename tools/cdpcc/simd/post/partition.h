/* Partition of a module: block entries that are compiled by processes of their own, in parallel
 * with the rest of the module.
 *
 * Block entries take most of the compile time, and they do not depend on each other.  Those that
 * can move become symbols of the object, hidden and with the unit in their names.  The partition
 * depends on the code alone, so objects are the same wherever they are compiled. */
#ifndef CDPCC_SIMD_POST_PARTITION_H
#define CDPCC_SIMD_POST_PARTITION_H
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

enum { SIMD_APART_MOST = 4 };

/* Divides the entries into parts of about the same work.  Returns the number of parts, or 0 if the
 * work is not worth a process. */
unsigned simd_partition_choose(LLVMModuleRef module, const char *unit);

/* Called in the first process: removes the functions that are in a part. */
void simd_partition_leave(LLVMModuleRef module);

/* Called in the process of a part: a module with the functions of the part only. Takes
 * `whole`, the bitcode of the module after simd_partition_choose. NULL after an error
 * message, or if LLVM does not know a pass. */
LLVMModuleRef simd_partition_read(LLVMMemoryBufferRef whole, LLVMTargetMachineRef machine,
                                  unsigned part);

#endif
