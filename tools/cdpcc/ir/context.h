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

/* Types of the module's LLVM context.
 *
 * Created once by lower_context_init. Types of LLVM are unique in a context, so they can be
 * compared by their addresses. */
struct lower_types {
    LLVMTypeRef ptr, i1, i8, i32, i64, none; /* none: void */
};

/* Values of the module, in the order in which a pass found them.
 *
 * Grown by LOWER_PUSH, in the arena. Values are borrowed from the module. */
struct lower_list {
    LLVMValueRef *items;
    size_t count;
};

/* The instructions that need the first and the second generation of dynamic parallelism, from
 * lower/generation.c; or NULL. */
struct lower_generations {
    LLVMValueRef first, second;
};

/* What the passes share for one module. lower_collect fills in the lists; each pass may read what
 * earlier passes found. Everything is in the arena, except LLVM's own objects. */
struct lower_context {
    const struct lower_options *options;
    LLVMContextRef llvm;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine; /* set by the runner; borrowed */
    LLVMTargetDataRef layout;
    struct lower_types types;
    struct lower_kernel *kernels;
    size_t kernel_count;
    struct lower_shared *shared;
    size_t shared_count;
    struct lower_list managed;  /* variables annotated cdp.managed */
    struct lower_list device;   /* annotated cdp.device, also declarations */
    struct lower_list host;     /* annotated cdp.host: functions of both sides */
    uint64_t segment_size;      /* bytes of exported shared variables */
    struct lower_list retained; /* for llvm.used */
    struct lower_generations generations;
    bool blocks_are_known; /* blocks has looked at all kernels */
    unsigned errors;
    LLVMDIBuilderRef block_debug; /* while block entries are emitted */
};

/* Creates a context with no tables. options, module and machine are borrowed and must live longer;
 * the caller disposes of layout. */
void lower_context_init(struct lower_context *lower, const struct lower_options *options,
                        LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
