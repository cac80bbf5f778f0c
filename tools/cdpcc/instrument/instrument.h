/* Checked builds: device code that tests each of its accesses to memory.
 *
 * instrument/instrument.c finds the accesses and what they go through; instrument_<kind>.c makes
 * one kind of test.  A test is a call of a small function in the module that the
 * optimizer inlines, so that its common path is a compare or two, which can be merged
 * and moved out of loops like all else.
 *
 * There are two rounds.  The first sees the code as it was lowered, where accesses
 * have the types and alignments of the source.  The second comes between two runs of
 * the optimizer: what it kept in registers is no access, and where a pointer comes from
 * can be seen; the second run then cleans up. */
#ifndef CDPCC_INSTRUMENT_H
#define CDPCC_INSTRUMENT_H
#include "ir/options.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

void instrument_lowered(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine);
void instrument_optimized(const struct lower_options *options, LLVMModuleRef module,
                          LLVMTargetMachineRef machine);

#endif
