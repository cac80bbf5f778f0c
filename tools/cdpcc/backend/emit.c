/* The optimizer is LLVM's own default pipeline. The instrumentation of sanitizers comes after it
 * and after the lowering, because otherwise it would describe the code before these.
 *
 * The order, without --check:
 *
 *     names of slots first | optimizer (simd_optimize_hide before it, finish_blocks after it)
 *     early return | yield | workarounds | bare barriers | sanitizers | stack protectors
 *     list of locals | code generator
 *
 * The module's pipeline skips block entries; simd/post/ optimizes them in finish_blocks.
 * Everything after the optimizer adds calls, attributes or directives that must not be
 * optimized. */
#include "backend/emit.h"

#include "backend/bare_barriers.h"
#include "backend/canary.h"
#include "backend/carries.h"
#include "backend/code_timing.h"
#include "backend/early_return.h"
#include "backend/local_variables.h"
#include "backend/long_blocks.h"
#include "backend/memory_calls.h"
#include "backend/workarounds.h"
#include "backend/yield.h"
#include "instrument/instrument.h"
#include "ir/module.h"
#include "simd/ir/settings.h"
#include "simd/post/lane_accesses.h"
#include "simd/post/nontemporal.h"
#include "simd/post/pipeline.h"
#include "simd/post/shared_memory.h"
#include "support/str.h"
#include "support/timing.h"
#include "target/processor.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -G means no optimization, whatever -O says. */
static int optimization(const struct lower_options *options)
{
    return options->debug_device ? 0 : options->optimize;
}

/* The effort of instruction selection and register allocation. */
static LLVMCodeGenOptLevel code_generation(const struct lower_options *options)
{
    switch (optimization(options)) {
    case 0:
        return LLVMCodeGenLevelNone;
    case 1:
        return LLVMCodeGenLevelLess;
    case 2:
        return LLVMCodeGenLevelDefault;
    default:
        return LLVMCodeGenLevelAggressive;
    }
}

#define INITIALIZE(name)                                                                           \
    LLVMInitialize##name##TargetInfo();                                                            \
    LLVMInitialize##name##Target();                                                                \
    LLVMInitialize##name##TargetMC();                                                              \
    LLVMInitialize##name##AsmPrinter();                                                            \
    LLVMInitialize##name##AsmParser()

/* Both processors, because --target may name either. */
static void initialize_targets(void)
{
    INITIALIZE(X86);
    INITIALIZE(AArch64);
}

LLVMTargetMachineRef emit_create_machine(const struct lower_options *options, const char *triple)
{
    initialize_targets();
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        fprintf(stderr, "cdpcc: error: no code generator for %s: %s\n", triple, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    /* Position-independent code also links into fixed-address programs. */
    return LLVMCreateTargetMachine(target, triple, target_cpu(&options->target),
                                   target_features(&options->target), code_generation(options),
                                   LLVMRelocPIC, LLVMCodeModelDefault);
}

static int fail(LLVMErrorRef error)
{
    char *message = LLVMGetErrorMessage(error);
    fprintf(stderr, "cdpcc: error: %s\n", message);
    LLVMDisposeErrorMessage(message);
    return 1;
}

/* Like LLVM without a handler, but without the warnings about loops that were not unrolled or
 * vectorized as their pragmas request: nvcc and the front end's passes do not print them. */
static void diagnose(LLVMDiagnosticInfoRef info, void *unused)
{
    (void)unused;
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    char *text = LLVMGetDiagInfoDescription(info);
    bool is_error = severity == LLVMDSError;
    if (severity == LLVMDSRemark) {
        code_timing_remark(text);
    }
    if (is_error || (severity == LLVMDSWarning &&
                     strstr(text, "unable to perform the requested transformation") == NULL)) {
        fprintf(stderr, "%s: %s\n", is_error ? "error" : "warning", text);
    }
    LLVMDisposeMessage(text);
    if (is_error) {
        exit(1);
    }
}

/* Disposes of the settings. */
static int run_with(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes,
                    LLVMPassBuilderOptionsRef settings)
{
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine, settings);
    LLVMDisposePassBuilderOptions(settings);
    return error == NULL ? 0 : fail(error);
}

static int run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes)
{
    return run_with(module, machine, passes, LLVMCreatePassBuilderOptions());
}

/* LLVM 22's vectorizer of straight-line code (SLP) computes wrong sums of products of signed and
 * unsigned bytes, on processors with AVX2. Block entries, which have vectors of their own, never
 * see it. The setting of the pass builder is not enough. */
static void vectorize_no_sequences(void)
{
    module_set_option("-vectorize-slp=false");
}

/* Locals stay on the stack of their thread, where the runtime recognizes them by their address.
 * AddressSanitizer would put them into memory of its own, to find uses after a return. */
static void keep_locals_on_the_stack(void)
{
    module_set_option("-asan-use-after-return=never");
}

/* The time of the scheduler after register allocation grows with the square of a basic block's
 * length, and block entries have long basic blocks. The processor reorders better than this
 * scheduler. */
static void schedule_once(void)
{
    module_set_option("-disable-post-ra");
}

/* The scheduler before register allocation compares each access of memory with all others of the
 * basic block, up to a number of them that is a thousand without the option. */
static void compare_few_accesses(void)
{
    module_set_option("-dag-maps-huge-region=200");
}

/* (long)(a[i] * 1103515245 + 12345) is computed in 32 bits on a GPU, and random number generators
 * rely on the wrap-around. The code generator would extend a[i] as it is loaded, and compute in 64
 * bits: an overflow of int is undefined in C++. */
static void extend_results(void)
{
    module_set_option("-disable-cgp-ext-ld-promotion");
}

/* LLVM 22's pass that splits copies of data that was just stored in pieces ("avoid store forwarding
 * blocks", x86) aborts when it finds the mask of a store in between. */
static void leave_copies(const struct lower_options *options)
{
    if (!target_is_arm(options->target.triple)) {
        module_set_option("-x86-disable-avoid-SFB");
    }
}

/* The optimizer's last steps, for block entries and their helper functions.
 *
 * CDPCC_VERIFY=1 in the environment also verifies the result, for tests. */
static int finish_blocks(const struct lower_options *options, LLVMModuleRef module,
                         LLVMTargetMachineRef machine)
{
    int64_t begun = timing_now();
    if (!simd_optimize(module, machine)) {
        fprintf(stderr, "cdpcc: error: LLVM lacks a pass for block entries\n");
        return 1;
    }
    timing_add_since(TIMING_PASS, "optimizer of block entries", "", begun);
    begun = timing_now();
    simd_optimize_shared(module, machine);
    simd_split_nontemporal(module, machine);
    simd_expand_lane_accesses(module, machine, &options->target);
    timing_add_since(TIMING_PASS, "shared memory, stores and lanes", "", begun);
    return simd_setting_verifies() && module_verify(module, "after block entries");
}

/* Without yields and bare barriers, which only thread entries need. */
int emit_optimize_blocks(const struct lower_options *options, LLVMModuleRef module,
                         LLVMTargetMachineRef machine)
{
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), diagnose, NULL);
    if (finish_blocks(options, module, machine)) {
        return 1;
    }
    lower_backend(module);
    lower_memory_calls(module);
    lower_canary(module, LOWER_CANARIES_OF_KERNELS);
    lower_locals_list(module);
    return 0;
}

/* The steps in the order that is explained at the top. */
int emit_optimize(const struct lower_options *options, LLVMModuleRef module,
                  LLVMTargetMachineRef machine)
{
    int level = optimization(options);
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(module), diagnose, NULL);
    const char *passes = str_format("default<O%d>", level);
    vectorize_no_sequences();
    lower_locals_first(module);
    if (check_any(&options->checks) || options->sanitize.address) {
        instrument_release(options, module, machine);
    }
    simd_optimize_hide(module);
    int64_t begun = timing_now();
    if (run_passes(module, machine, passes)) {
        return 1;
    }
    timing_add_since(TIMING_PASS, "optimizer of thread entries", "", begun);
    if (finish_blocks(options, module, machine)) {
        return 1;
    }
    if (level > 0) {
        lower_early_return(module);
    }
    lower_yield(module, machine, level > 0);
    lower_backend(module);
    lower_memory_calls(module);
    if (level > 0 && !options->sanitize.address && !options->sanitize.thread) {
        lower_bare(module);
    }
    if (options->sanitize.address) { /* which finds overruns itself */
        lower_canary(module, LOWER_CANARIES_NONE);
        keep_locals_on_the_stack();
        lower_locals_restore(module);
        return run_passes(module, machine, "asan");
    }
    if (options->sanitize.thread &&
        run_passes(module, machine, "tsan-module,function(tsan)") != 0) {
        return 1;
    }
    lower_canary(module, options->strong_canaries || level == 0 ? LOWER_CANARIES_STRONG
                                                                : LOWER_CANARIES_OF_KERNELS);
    lower_locals_list(module);
    return 0;
}

int emit_write(const struct lower_options *options, LLVMModuleRef module,
               LLVMTargetMachineRef machine)
{
    if (options->kind == LOWER_BITCODE) {
        return module_write_bitcode(module, options->files.output);
    }
    if (options->kind == LOWER_IR) {
        return module_write_text(module, options->files.output);
    }
    extend_results();
    if (optimization(options) > 0) {
        lower_carries(module);
        lower_long_blocks(module);
    }
    if (options->block_entries) {
        schedule_once();
        compare_few_accesses();
        leave_copies(options);
    }
    LLVMCodeGenFileType type = options->kind == LOWER_ASSEMBLY ? LLVMAssemblyFile : LLVMObjectFile;
    char *message = NULL;
    int64_t begun = timing_now();
    code_timing_start(module);
    bool has_failed =
        LLVMTargetMachineEmitToFile(machine, module, options->files.output, type, &message);
    timing_add_since(TIMING_PASS, "code generation", "", begun);
    if (has_failed) {
        fprintf(stderr, "cdpcc: error: %s: %s\n", options->files.output, message);
        LLVMDisposeMessage(message);
        return 1;
    }
    return 0;
}
