/* Checked builds: device code that tests each of its accesses to memory.
 *
 * instrument/instrument.c finds the accesses and the origins of their addresses.
 * instrument/<kind>.c emits one kind of test. A test is a call of a small function in the module,
 * which the optimizer inlines. So its common path is one or two comparisons, which can be merged
 * and moved out of loops like other code.
 *
 * There are two rounds. The first one sees the lowered code, where accesses have the types and
 * alignments of the source. The second one is between two runs of the optimizer. Values that the
 * optimizer keeps in registers are then no longer accesses, and the origins of pointers are
 * visible. The second run of the optimizer then cleans up. */
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
