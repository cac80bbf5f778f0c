/* The context of all passes: the module, the facts found in it, and the types that the passes
 * need. */
#ifndef CDPCC_IR_CONTEXT_H
#define CDPCC_IR_CONTEXT_H
#include "ir/options.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lower_kernel; /* lower/kernel.h */
struct lower_shared;

struct lower_context {
    const struct lower_options *options;
    LLVMContextRef llvm;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine; /* set by the runner; borrowed */
    LLVMTargetDataRef layout;
    LLVMTypeRef ptr, i1, i8, i32, i64, void_type;
    struct lower_kernel *kernels;
    size_t kernel_count;
    struct lower_shared *shared;
    size_t shared_count;
    LLVMValueRef *managed; /* variables annotated cdp.managed */
    size_t managed_count;
    LLVMValueRef *device; /* annotated cdp.device, also declarations */
    size_t device_count;
    LLVMValueRef *host; /* annotated cdp.host: functions of both sides */
    size_t host_count;
    uint64_t segment_size;  /* bytes of exported shared variables */
    LLVMValueRef *retained; /* for llvm.used */
    size_t retained_count;
    /* the instruction that needs the first generation, from lower/generation.c; or NULL */
    LLVMValueRef first_generation;
    LLVMValueRef second_generation; /* the same for the second generation */
    bool blocks_are_known;          /* blocks has looked at all kernels */
    unsigned errors;
    LLVMDIBuilderRef block_debug; /* while block entries are made */
};

/* Creates a context with no tables; the caller disposes of layout. */
void lower_context_init(struct lower_context *lower, const struct lower_options *options,
                        LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
