/* Lowered module to file: optimization, instrumentation, code generation. */
#ifndef CDPCC_EMIT_H
#define CDPCC_EMIT_H

#include "lower/lower.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

/* The processor and its features as LLVM names them; in the arena. */
const char *emit_cpu(const struct lower_options *options);
const char *emit_features(const struct lower_options *options);
/* Whether -march names an architecture of ARM's instead: its features are what the front end
 * made of it, in the functions' attributes. */
bool emit_is_architecture(const struct lower_options *options);

/* Owned by the caller; NULL after printing why. */
LLVMTargetMachineRef emit_create_machine(const struct lower_options *options, const char *triple);

/* 0, or 1 after printing why. */
int emit_optimize(const struct lower_options *options, LLVMModuleRef module,
                  LLVMTargetMachineRef machine);
/* The same for a module that has only block entries. */
int emit_optimize_blocks(LLVMModuleRef module, LLVMTargetMachineRef machine);
int emit_write(const struct lower_options *options, LLVMModuleRef module,
               LLVMTargetMachineRef machine);

#endif
