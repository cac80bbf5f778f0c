/* Device bitcode to object: the ordered passes. Each works on the whole module; the order matters:
 *
 *   names          needs the front end's symbols, and removes its own variables
 *   collect        finds what the other passes need and removes the lists of annotations
 *   check, generation, pointers, params
 *                  need the unoptimized code of the front end
 *   front          defines results that the front end leaves undefined
 *   ptx, builtin   replace what exists only on a GPU by calls and loads
 *   dims           makes the runtime's launch calls equal for all processors
 *   print          counts the arguments of printf
 *   math           defines the functions of libm for which cdpcc has code; ptx adds some
 *   float          marks what the next passes guard, and leaves only products to contract
 *   divide, convert, shift
 *                  define what LLVM leaves undefined, in ptx too
 *   view           makes the results of builtin visible to debuggers
 *   warp           needs the calls by their names in device code
 *   entry          replaces the kernels' addresses; after it all uses of a function
 *                  are calls
 *   locals         names stack slots, also those of parameters
 *   shared         needs those calls
 *   symbol         renames symbols; after it nothing is found by its name
 *   checked words  is words, but only if there are checks, which then see one access
 *   checks         needs the same; the accesses of block entries are checked, too
 *   blocks         needs entries that call by the runtime's names
 *   words          makes accesses that block entries cannot have
 *   barriers       marks barriers that blocks found, which would prevent block entries
 *   table, target  need the final addresses and functions
 *
 * What the optimizer must not see comes after it: backend/emit.c has lower_yield and the
 * sanitizers' passes. */
#include "driver/device.h"

#include "backend/checks.h"
#include "backend/emit.h"
#include "ir/context.h"
#include "ir/module.h"
#include "ir/options.h"
#include "lower/defer.h"
#include "backend/local_variables.h"
#include "lower/passes.h"
#include "ptx/pass.h"
#include "simd/pass.h"
#include "simd/post/partition.h"
#include "support/str.h"
#include "support/timing.h"

#include <asm-generic/errno-base.h>
#include <errno.h>
#include <linux/prctl.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The table of the lowering. The order is the one that the comment at the top explains. */
static const struct pass {
    const char *name;
    void (*run)(struct lower_context *);
} passes[] = {
    {"names", lower_names},
    {"collect", lower_collect},
    {"check", lower_check},
    {"generation", lower_generation},
    {"pointers", lower_pointers},
    {"params", lower_params},
    {"front", lower_front},
    {"ptx", lower_ptx},
    {"builtin", lower_builtin},
    {"dims", lower_dims},
    {"print", lower_print},
    {"math", lower_math},
    {"float", lower_float},
    {"divide", lower_divide},
    {"convert", lower_convert},
    {"shift", lower_shift},
    {"view", lower_view},
    {"warp", lower_warp},
    {"entry", lower_entry},
    {"locals", lower_locals},
    {"shared", lower_shared},
    {"symbol", lower_symbol},
    {"checked words", lower_checked_words},
    {"checks", lower_checks},
    {"blocks", lower_blocks},
    {"words", lower_words},
    {"barriers", lower_barriers},
    {"table", lower_table},
    {"target", lower_target},
};

/* Errors of check and params are reported together. After such errors the later passes cannot
 * run. */
static int run_passes(struct lower_context *lower)
{
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        bool needs_sound_input = passes[i].run == lower_front;
        if (needs_sound_input && lower->errors != 0) {
            return 1;
        }
        int64_t begun = timing_now();
        passes[i].run(lower);
        if (passes[i].run != lower_blocks) { /* which measures its own parts */
            timing_add_since(TIMING_PASS, passes[i].name, "", begun);
        }
#ifdef CDP_DEBUG
        if (lower->errors == 0 &&
            module_verify(lower->module, str_format("after '%s'", passes[i].name))) {
            return 1;
        }
#endif
    }
    return lower->errors == 0 ? 0 : 1;
}

bool lower_run_pass(struct lower_context *lower, const char *name)
{
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (strcmp(passes[i].name, name) == 0) {
            passes[i].run(lower);
            return true;
        }
    }
    return false;
}

/* ---- several processes ---- */

/* The module to its output file. */
static int emit(const struct lower_options *options, LLVMModuleRef module,
                LLVMTargetMachineRef machine)
{
    return emit_optimize(options, module, machine) || emit_write(options, module, machine);
}

/* In a child: reads only the block entries of the part, and writes them to the part's own file. */
static int emit_apart(const struct lower_options *options, LLVMMemoryBufferRef whole,
                      LLVMTargetMachineRef machine, unsigned part)
{
    struct lower_options of_part = *options;
    of_part.files.output = lower_part_path(options->files.parts, part);
    int64_t begun = timing_now();
    LLVMModuleRef module = simd_partition_read(whole, machine, part);
    timing_add_since(TIMING_PASS, "division among processes", "", begun);
    return module == NULL || emit_optimize_blocks(options, module, machine) ||
           emit_write(&of_part, module, machine);
}

/* The result of another process. If it was killed, prints a message. */
static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return 1;
        }
    }
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "cdpcc: error: compiling block entries ended by signal %d (%s)\n",
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    return status != 0;
}

/* The parts of code generation share nothing, but one LLVM context supports only one thread. So
 * copies of this process generate parts of the module. */
static int emit_in_parts(const struct lower_options *options, LLVMModuleRef module,
                         LLVMTargetMachineRef machine, unsigned parts)
{
    pid_t children[SIMD_APART_MOST];
    unsigned started = 0;
    int failed = 0;
    int64_t begun = timing_now();
    LLVMMemoryBufferRef whole = LLVMWriteBitcodeToMemoryBuffer(module);
    timing_add_since(TIMING_PASS, "division among processes", "", begun);
    fflush(NULL);
    for (; started < parts; started++) {
        children[started] = fork();
        if (children[started] < 0) {
            perror("cdpcc: error: cannot start a process");
            failed = 1;
            break;
        }
        if (children[started] == 0) {
            prctl(PR_SET_PDEATHSIG,
                  SIGKILL); /* a signal that ends this process must end the children too */
            failed = emit_apart(options, whole, machine, started);
            fflush(NULL);
            _exit(failed);
        }
    }
    begun = timing_now();
    LLVMDisposeMemoryBuffer(whole);
    simd_partition_leave(module);
    timing_add_since(TIMING_PASS, "division among processes", "", begun);
    failed = failed || emit(options, module, machine);
    for (unsigned part = 0; part < started; part++) {
        failed |= wait_for(children[part]);
    }
    return failed;
}

/* Debug information is removed after the passes, which need it, and before the optimizer. */
static int lower_module(const struct lower_options *options, LLVMModuleRef module,
                        LLVMTargetMachineRef machine)
{
    struct lower_context lower;
    lower_context_init(&lower, options, module, machine);
    int failed = run_passes(&lower);
    LLVMDisposeTargetData(lower.layout);
    int64_t begun = timing_now();
    if (failed || module_verify(module, "after lowering")) {
        return 1;
    }
    if (options->strip_debug) {
        LLVMStripModuleDebugInfo(module);
    }
    timing_add_since(TIMING_PASS, "verification", "", begun);
    if (options->files.dump != NULL && module_write_text(module, options->files.dump)) {
        return 1;
    }
    /* With line information there would be two descriptions of the unit. */
    bool may_part = options->files.parts != NULL && options->strip_debug &&
                    options->block_entries && !options->sanitize.address;
    unsigned parts = may_part ? simd_partition_choose(module, options->files.unit) : 0;
    return parts > 0 ? emit_in_parts(options, module, machine, parts)
                     : emit(options, module, machine);
}

const char *lower_part_path(const char *parts, unsigned part)
{
    return str_format("%s.%u", parts, part);
}

static const char *output; /* of the module being lowered; a process lowers only one */

/* Reports an error after which LLVM cannot continue, mostly a file that cannot be written. */
static void say_fatal(const char *reason)
{
    fprintf(stderr, "cdpcc: error: writing '%s': %s\n", output, reason);
}

/* Loads the device code, without constants that are poison if possible. */
static LLVMModuleRef load(const struct lower_options *options)
{
    LLVMModuleRef module = module_load(options->files.input);
    if (module == NULL || options->defer == NULL || !defer_is_needed(module) ||
        !defer_constants(options->defer)) {
        return module;
    }
    module_dispose(module);
    return module_load(options->defer->bitcode);
}

int lower_device(const struct lower_options *options)
{
    int64_t begun = timing_now();
    output = options->files.output;
    LLVMInstallFatalErrorHandler(say_fatal);
    LLVMModuleRef module = load(options);
    if (module == NULL) {
        return 1;
    }
    LLVMTargetMachineRef machine = emit_create_machine(options, LLVMGetTarget(module));
    timing_add_since(TIMING_PASS, "reading the bitcode", "", begun);
    int failed = machine == NULL || lower_module(options, module, machine);
    if (machine != NULL) {
        LLVMDisposeTargetMachine(machine);
    }
    module_dispose(module);
    return failed;
}
