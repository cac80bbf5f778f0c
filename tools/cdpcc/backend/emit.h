/* Lowered module to file: optimization, instrumentation, code generation. */
#ifndef CDPCC_EMIT_H
#define CDPCC_EMIT_H
#include "ir/options.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

/* A code generator for the processor of the options and the triple of the module. Owned by the
 * caller; NULL after printing why. */
LLVMTargetMachineRef emit_create_machine(const struct lower_options *options, const char *triple);

/* Optimizes and instruments a lowered module in place. Returns 0, or 1 after printing why. */
int emit_optimize(const struct lower_options *options, LLVMModuleRef module,
                  LLVMTargetMachineRef machine);
/* The same for a module that contains only block entries. */
int emit_optimize_blocks(const struct lower_options *options, LLVMModuleRef module,
                         LLVMTargetMachineRef machine);
/* Writes options->files.output as options->kind says. Returns 0, or 1 after printing why. */
int emit_write(const struct lower_options *options, LLVMModuleRef module,
               LLVMTargetMachineRef machine);

#endif
