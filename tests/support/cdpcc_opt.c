/* cdpcc-opt: runs single passes of the lowering on a module, as LLVM's opt does with LLVM's passes.
 *
 *   cdpcc-opt --passes=NAME,NAME... [OPTION...] FILE.ll
 *   cdpcc-opt --print=shapes|regions|plan [OPTION...] FILE.ll
 *
 * Runs the passes in the given order, checks the module after each, and prints it. Passes that need
 * the results of other passes (kernels, parameters) must come after them: see driver/device.c.
 * Besides the passes of that table there are passes for lowered and for optimized code: see
 * rounds below. With --print, the functions cdp.thread.NAME are kernels as lowering leaves them for
 * the vectorizer. Then the vectorizer's findings on each version are printed, and not the module.
 * The file "-" is the standard input. Options are those of a lowering: -O0 to -O3, -G, -march=,
 * --target=, --cdp=1, --cdp=2, -rdc=false, -arch=sm_NN, --check=KIND, --count, -W...,
 * -fsanitize=address. Status 1 if a pass found an error or left an invalid module, 2 for a wrong
 * command line. */
#include "backend/bare_barriers.h"
#include "backend/carries.h"
#include "backend/early_return.h"
#include "backend/emit.h"
#include "backend/local_variables.h"
#include "backend/long_blocks.h"
#include "backend/yield.h"
#include "driver/device.h"
#include "instrument/host_calls.h"
#include "instrument/instrument.h"
#include "ir/context.h"
#include "ir/module.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "ir/value.h"
#include "simd/prepare/interleave_locals.h"
#include "simd/prepare/join_bytes.h"
#include "simd/prepare/join_stores.h"
#include "simd/analysis/launch_sizes.h"
#include "simd/serialize.h"
#include "support/str.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(const char *word)
{
    fprintf(stderr,
            "cdpcc-opt: %s\nusage: cdpcc-opt --passes=NAME,... [OPTION...] FILE.ll\n"
            "       cdpcc-opt --print=shapes|regions|plan [OPTION...] FILE.ll\n",
            word);
    exit(2);
}

/* -W..., --check=..., --count; false: it is another word. */
static bool take_list(struct lower_options *options, const char *word)
{
    bool unknown = false;
    if (str_equals(word, "--count")) {
        options->checks.counts = true;
        return true;
    }
    if (str_starts(word, "--check=")) {
        unknown = check_take(&options->checks, word + strlen("--check=")) != NULL;
    } else if (!warning_take(&options->warnings, word, &unknown) && !str_equals(word, "-Werror")) {
        return false;
    }
    return !unknown;
}

static bool take_option(struct lower_options *options, const char *word)
{
    if (str_starts(word, "-O")) {
        options->optimize = atoi(word + 2);
    } else if (str_equals(word, "-G")) {
        options->debug_device = true;
    } else if (str_equals(word, "-rdc=false")) {
        options->no_device_launch = true;
    } else if (str_equals(word, "--cdp=1")) {
        options->mode = CDP_MODE_1;
    } else if (str_equals(word, "--cdp=2")) {
        options->mode = CDP_MODE_2;
    } else if (str_starts(word, "-march=")) {
        options->target.cpu = word + strlen("-march=");
    } else if (str_starts(word, "--target=")) {
        options->target.triple = word + strlen("--target=");
    } else if (str_starts(word, "-arch=sm_")) {
        options->arch = 10 * (unsigned)atoi(word + strlen("-arch=sm_"));
    } else if (str_equals(word, "-fsanitize=address")) {
        options->sanitize.address = true;
    } else {
        return take_list(options, word);
    }
    return true;
}

static LLVMModuleRef read_module(const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    bool failed = str_equals(path, "-")
                      ? LLVMCreateMemoryBufferWithSTDIN(&buffer, &message)
                      : LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message);
    if (failed || LLVMParseIRInContext(LLVMContextCreate(), buffer, &module, &message)) {
        usage(message);
    }
    return module;
}

/* ---- what comes after the table of passes ---- */

static void run_bare(struct lower_context *lower)
{
    lower_bare(lower->module);
}

static void run_locals_first(struct lower_context *lower)
{
    lower_locals_first(lower->module);
}

static void run_locals_list(struct lower_context *lower)
{
    lower_locals_list(lower->module);
}

static void run_early_return(struct lower_context *lower)
{
    lower_early_return(lower->module);
}

static void run_carries(struct lower_context *lower)
{
    lower_carries(lower->module);
}

static void run_long_blocks(struct lower_context *lower)
{
    lower_long_blocks(lower->module);
}

static void run_yield(struct lower_context *lower)
{
    lower_yield(lower->module, lower->machine, lower->options->optimize > 0);
}

static void run_instrument(struct lower_context *lower)
{
    instrument_lowered(lower->options, lower->module, lower->machine);
}

static void run_instrument_inlined(struct lower_context *lower)
{
    instrument_inlined(lower->options, lower->module, lower->machine);
}

static void run_instrument_optimized(struct lower_context *lower)
{
    instrument_optimized(lower->options, lower->module, lower->machine);
}

static void run_host_calls(struct lower_context *lower)
{
    instrument_host_module(lower->module, &lower->options->checks);
}

static void run_on_functions(struct lower_context *lower,
                             void (*run)(struct lower_context *, LLVMValueRef))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) {
            run(lower, f);
        }
    }
}

static void run_interleave_locals(struct lower_context *lower)
{
    run_on_functions(lower, simd_interleave_locals);
}

static void run_join_bytes(struct lower_context *lower)
{
    run_on_functions(lower, simd_join_bytes);
}

static void run_join_stores(struct lower_context *lower)
{
    run_on_functions(lower, simd_join_stores);
}

/* The global NAME.cdpk, or a new one. */
static LLVMValueRef descriptor_of(struct lower_context *lower, const char *kernel)
{
    const char *name = str_format("%s.cdpk", kernel);
    LLVMValueRef known = LLVMGetNamedGlobal(lower->module, name);
    LLVMTypeRef type = LLVMInt64TypeInContext(lower->llvm);
    return known != NULL ? known : LLVMAddGlobal(lower->module, type, name);
}

/* The functions cdp.thread.NAME. */
static void add_kernels(struct lower_context *lower)
{
    static const char prefix[] = "cdp.thread.";
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        if (str_starts(name, prefix)) {
            const char *kernel_name = str_format("%s", name + sizeof prefix - 1);
            struct lower_kernel kernel = {.function = f,
                                          .entry = f,
                                          .descriptor = descriptor_of(lower, kernel_name),
                                          .name = kernel_name,
                                          .is_defined = true,
                                          .param_size = 64};
            LOWER_PUSH(lower->kernels, lower->kernel_count, kernel);
        }
    }
}

static void run_serialize(struct lower_context *lower)
{
    add_kernels(lower);
    const struct simd_launches launches = simd_launches_find(lower);
    simd_serialize_launches(lower, &launches);
}

/* The same as --print, but the output is the code. */
static void run_block_entries(struct lower_context *lower)
{
    add_kernels(lower);
    lower_run_pass(lower, "blocks");
}

static const struct round {
    const char *name;
    void (*run)(struct lower_context *);
} rounds[] = {
    {"bare", run_bare},
    {"block-entries", run_block_entries},
    {"carries", run_carries},
    {"early-return", run_early_return},
    {"long-blocks", run_long_blocks},
    {"locals-first", run_locals_first},
    {"locals-list", run_locals_list},
    {"yield", run_yield},
    {"host-calls", run_host_calls},
    {"interleave-locals", run_interleave_locals},
    {"mark-shared", lower_mark_shared},
    {"join-bytes", run_join_bytes},
    {"join-stores", run_join_stores},
    {"serialize", run_serialize},
    {"instrument", run_instrument},
    {"instrument-inlined", run_instrument_inlined},
    {"instrument-optimized", run_instrument_optimized},
};

static bool run_one(struct lower_context *lower, const char *name)
{
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        if (str_equals(name, rounds[i].name)) {
            rounds[i].run(lower);
            return true;
        }
    }
    return lower_run_pass(lower, name);
}

/* The number of errors that the passes found. */
static unsigned run(struct lower_context *lower, const char *passes)
{
    struct vec names = {.items = NULL};
    str_split_commas(&names, passes);
    for (size_t i = 0; i < names.count && lower->errors == 0; i++) {
        if (!run_one(lower, names.items[i])) {
            usage(str_format("no pass '%s'", names.items[i]));
        }
        if (module_verify(lower->module, str_format("after '%s'", names.items[i]))) {
            return 1;
        }
    }
    return lower->errors;
}

/* ---- the vectorizer's findings ---- */

static bool take_print(struct lower_options *options, const char *word)
{
    static const char *const names[] = {NULL, "shapes", "regions", "plan"};
    for (unsigned i = PRINT_SHAPES; i <= PRINT_PLAN; i++) {
        if (str_equals(word, names[i])) {
            options->print = (enum lower_print)i;
            options->block_entries = true;
            return true;
        }
    }
    return false;
}

static unsigned print(struct lower_context *lower)
{
    add_kernels(lower);
    lower_run_pass(lower, "blocks");
    return module_verify(lower->module, "after the vectorizer") != 0;
}

static unsigned run_and_write(struct lower_context *lower, const char *passes)
{
    unsigned errors = run(lower, passes);
    if (errors == 0) {
        char *text = LLVMPrintModuleToString(lower->module);
        fputs(text, stdout);
        LLVMDisposeMessage(text);
    }
    return errors;
}

int main(int argc, char **argv)
{
    struct lower_options options = {.optimize = 3, .arch = 900};
    const char *passes = NULL, *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (str_starts(argv[i], "--passes=")) {
            passes = argv[i] + strlen("--passes=");
            options.block_entries =
                strstr(passes, "block-entries") != NULL || strstr(passes, "mark-shared") != NULL;
        } else if (str_starts(argv[i], "--print=")) {
            if (!take_print(&options, argv[i] + strlen("--print="))) {
                usage(str_format("unknown word '%s'", argv[i]));
            }
        } else if (str_equals(argv[i], "-") || !take_option(&options, argv[i])) {
            if ((argv[i][0] == '-' && argv[i][1] != '\0') || path != NULL) {
                usage(str_format("unknown word '%s'", argv[i]));
            }
            path = argv[i];
        }
    }
    if ((passes == NULL) == (options.print == PRINT_NOTHING) || path == NULL) {
        usage("a file, and --passes or --print are needed");
    }
    LLVMModuleRef module = read_module(path);
    LLVMTargetMachineRef machine = emit_create_machine(&options, LLVMGetTarget(module));
    if (machine == NULL) {
        return 1;
    }
    struct lower_context lower;
    lower_context_init(&lower, &options, module, machine);
    unsigned errors = passes == NULL ? print(&lower) : run_and_write(&lower, passes);
    LLVMDisposeTargetData(lower.layout);
    LLVMDisposeTargetMachine(machine);
    module_dispose(module);
    return errors != 0;
}
