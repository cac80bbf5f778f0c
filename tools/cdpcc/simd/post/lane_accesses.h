/* Gathers and scatters for which the processor has no instruction. */
#ifndef CDPCC_SIMD_POST_LANE_ACCESSES_H
#define CDPCC_SIMD_POST_LANE_ACCESSES_H
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

struct target;

/* Replaces those of all block entries by code without branches. */
void simd_expand_lane_accesses(LLVMModuleRef module, LLVMTargetMachineRef machine,
                               const struct target *target);

#endif
