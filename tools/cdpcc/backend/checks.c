/* The instrumentation of --check comes before the vectorizer, so that block entries are made of
 * instrumented code: a test of a contiguous access is one test for a vector. */
#include "backend/checks.h"

#include "backend/local_variables.h"
#include "instrument/instrument.h"
#include "ir/context.h"
#include "ir/module.h"
#include "ir/options.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/prepare/inline.h"
#include "support/arena.h"
#include "support/check.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

/* Of the optimization between the rounds. -O3 specializes loops for conditions, and removes what
 * would access memory outside of a variable. */
enum { MOST_LEVEL = 2 };

/* Runs passes on the module, without those that merge or split memory accesses. */
static void run(struct lower_context *lower, const char *passes)
{
    LLVMPassBuilderOptionsRef settings = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetSLPVectorization(settings, 0);
    LLVMPassBuilderOptionsSetLoopInterleaving(settings, 0);
    LLVMPassBuilderOptionsSetLoopUnrolling(settings, 0);
    LLVMErrorRef error = LLVMRunPasses(lower->module, passes, lower->machine, settings);
    LLVMDisposePassBuilderOptions(settings);
    if (error != NULL) {
        char *message = LLVMGetErrorMessage(error);
        fprintf(stderr, "cdpcc: error: %s\n", message);
        LLVMDisposeErrorMessage(message);
        lower->errors++;
    }
}

/* The later passes still need all variables, and the functions of all kernels: see lower/table.c.
 * The second round needs the guards of the first one. The list keeps the optimizer from removing
 * and changing them. */
static void keep(struct lower_context *lower)
{
    LLVMValueRef *kept = NULL;
    size_t count = 0;
    for (LLVMValueRef at = LLVMGetFirstGlobal(lower->module); at != NULL;
         at = LLVMGetNextGlobal(at)) {
        LOWER_PUSH(kept, count, at);
    }
    for (LLVMValueRef at = LLVMGetFirstFunction(lower->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        bool is_shared = !LLVMIsDeclaration(at) && LLVMGetLinkage(at) != LLVMInternalLinkage;
        if (is_shared || str_starts(lower_name(at), LOWER_GUARDS)) {
            LOWER_PUSH(kept, count, at);
        }
    }
    for (size_t i = 0; i < lower->kernel_count; i++) {
        LLVMValueRef all[] = {lower->kernels[i].function, lower->kernels[i].entry};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            if (all[k] != NULL) {
                LOWER_PUSH(kept, count, all[k]);
            }
        }
    }
    lower_make_list(lower, "llvm.compiler.used", kept, count);
}

static void set_inlining(struct lower_context *lower, LLVMValueRef function, const char *add,
                         const char *remove)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(remove, strlen(remove));
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    lower_add_attribute(lower, function, add);
}

static void set_inlining_of_shuffles(struct lower_context *lower, const char *add,
                                     const char *remove)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && instrument_is_shuffle(f)) {
            set_inlining(lower, f, add, remove);
        }
    }
}

static void inline_functions(struct lower_context *lower)
{
    set_inlining_of_shuffles(lower, "noinline", "alwaysinline");
    keep(lower);
    run(lower, "cgscc(inline)");
    lower_drop_list(lower, "llvm.compiler.used");
    set_inlining_of_shuffles(lower, "alwaysinline", "noinline");
}

/* - Where the optimizer merges the accesses of two branches, LLVM's default is an access without a
 *   line. With the first option, the merged access has the line of one of the two.
 * - The vectorizer runs after this optimizer. It knows indices as the source has them: i32,
 * extended where an address is computed.
 * - LoopVectorization of LLVMPassBuilderOptions is not enough: LLVM 22 still vectorizes some loops.
 */
static void set_options(void)
{
    module_set_option("-pick-merged-source-locations");
    module_set_option("-indvars-widen-indvars=false");
    module_set_option("-vectorize-loops=false");
}

void lower_checks(struct lower_context *lower)
{
    const struct lower_options *options = lower->options;
    bool is_optimized = !options->debug_device && options->optimize > 0;
    if (!check_any(&options->checks)) {
        return;
    }
    set_options();
    lower_locals_first(lower->module);
    instrument_lowered(options, lower->module, lower->machine);
    if (options->checks.on[CHECK_INIT]) {
        if (is_optimized) {
            inline_functions(lower);
        }
        instrument_inlined(options, lower->module, lower->machine);
    }
    if (is_optimized && options->checks.counts && options->block_entries) {
        simd_inline(lower); /* block entries cannot count in functions that they call */
    }
    if (is_optimized) {
        keep(lower);
        run(lower, str_format("default<O%d>",
                              options->optimize < MOST_LEVEL ? options->optimize : MOST_LEVEL));
        lower_drop_list(lower, "llvm.compiler.used");
    }
    instrument_optimized(options, lower->module, lower->machine);
    if (options->checks.counts && is_optimized) {
        run(lower, "function(mem2reg)"); /* the slots of loops: see instrument/count.c */
    }
}
