/* Checked builds: device code that tests each of its accesses to memory.
 *
 * instrument/instrument.c finds the accesses and the origins of their addresses.
 * instrument/<kind>.c emits one kind of test. A test is a call of a small function in the module,
 * which the optimizer inlines after the vectorizer. So its common path is one or two comparisons,
 * which can be merged and moved out of loops like other code.
 *
 * There are two rounds. The first one sees the lowered code, where accesses have the types and
 * alignments of the source. The second one is between two runs of the optimizer. Values that the
 * optimizer keeps in registers are then no longer accesses, and the origins of pointers are
 * visible. The second run of the optimizer then cleans up.
 *
 * Before and after, for p[i] = 0 with --check=space, much simplified:
 *
 *     %suspicious = call i1 @cdp.check.foreign(ptr %p)
 *     call void @cdp.guard.access(i1 %suspicious, ptr %a, i64 4, i32 flags)
 *     store i32 0, ptr %a
 *
 * The test does not change what the access does. If the runtime finds a mistake, it reports it. */
#ifndef CDPCC_INSTRUMENT_H
#define CDPCC_INSTRUMENT_H
#include "ir/options.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

struct lower_context;

/* The first round. Changes the module in place; does nothing without --check. */
void instrument_lowered(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine);
/* Between the two, after functions were inlined: --check=init for local arrays and classes. */
void instrument_inlined(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine);
/* Whether it is a function of cdpcc's headers that passes a value to other lanes. Lanes from which
 * nobody reads may pass anything. Until instrument_inlined it must not be inlined. */
bool instrument_is_shuffle(LLVMValueRef function);
/* The second round, after one run of the optimizer. */
void instrument_optimized(const struct lower_options *options, LLVMModuleRef module,
                          LLVMTargetMachineRef machine);

/* Lets the optimizer inline the tests: the vectorizer, which knows them by their names, has run. */
void instrument_release(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine);

/* Removes the markers of shared variables: the optimizer may know their addresses from now on. */
void instrument_forget_markers(const struct lower_context *lower);
/* Removes guards whose conditions the optimizer found to be false. */
void instrument_forget_idle(const struct lower_context *lower);

#endif
