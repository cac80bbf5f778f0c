/* What all passes work on: the module, what was found in it, and the types that they need. */
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
    LLVMValueRef first_generation;  /* what needs it, as lower/generation.c found; or NULL */
    LLVMValueRef second_generation; /* likewise */
    bool blocks_are_known;          /* blocks has looked at all kernels */
    unsigned errors;
    LLVMDIBuilderRef block_debug; /* while block entries are made */
};

/* A context with no tables yet; the caller disposes of layout. */
void lower_context_init(struct lower_context *lower, const struct lower_options *options,
                        LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
