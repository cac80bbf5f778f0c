/* cdpcc: CUDA programs, with dynamic parallelism, for CPUs.
 *
 * Reads the options, makes a plan, runs it, and reports. Each stage is a file: args, plan (with
 * front and link for the command lines), job, lower.
 *
 * The order is: read the options; look at the inputs and find the tools; plan; then, unless only
 * the plan is wanted, create the temporary directory, run the plan, run the program for --run, and
 * remove the directory. The status is 0, 1 for an error, that of the program with --run, or the
 * signal that ended cdpcc. */
#include "driver/args.h"
#include "driver/diag.h"
#include "driver/init.h"
#include "driver/job.h"
#include "driver/link.h"
#include "driver/nvcc.h"
#include "driver/plan.h"
#include "driver/probe.h"
#include "driver/rebuild.h"
#include "driver/temp.h"
#include "driver/time_table.h"
#include "driver/tools.h"
#include "support/str.h"
#include "support/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Our caller may have closed descriptors 0 to 2. Files that we open next would get these numbers,
 * and children would write messages into them. */
static void open_standard_descriptors(void)
{
    int fd = 0;
    while (fd >= 0 && fd <= STDERR_FILENO) {
        fd = open("/dev/null", O_RDWR);
    }
    if (fd > STDERR_FILENO) {
        close(fd);
    }
}

/* The printed text is the whole result of --help and similar options. If it cannot be written, they
 * have failed. */
static int finish_printing(FILE *stream, const char *name)
{
    errno = 0;
    if (fflush(stream) == 0 && !ferror(stream)) {
        return 0;
    }
    diag_error("cannot write to %s: %s", name, strerror(errno != 0 ? errno : EIO));
    return 1;
}

/* Configure scripts search for words in the form in which nvcc prints them. */
static void print_version(void)
{
    puts("cdpcc 0.1.0: CUDA with dynamic parallelism for multicore CPUs\n"
         "Cuda compilation tools, release 12.9, V12.9.86 (interface; no NVIDIA software inside)");
}

/* With -v also the jobs for rare kinds of code. */
static void print_plan(const struct plan *plan, bool verbose, const char *trace)
{
    static const char *const conditions[] = {"", "if-managed: ", "if-ptx: "};
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->jobs[i].when == JOB_ALWAYS || verbose) {
            fprintf(stderr, "%s%s%s\n", trace, conditions[plan->jobs[i].when],
                    job_text(&plan->jobs[i]));
        }
    }
}

/* What precedes a command that is printed. */
static const char *trace_of(const struct args *args)
{
    return args->action.as_nvcc ? NVCC_TRACE : "";
}

/* Compiles in the temporary directory; the status for exit, or 128 + a signal. */
static int build(const struct args *args, const struct tools *tools)
{
    const struct plan plan = plan_make(args, tools);
    const char *times = str_format("%s/times", tools->temporary);
    struct vec outputs = {.items = NULL};
    for (size_t i = 0; i < plan.count; i++) {
        if (plan.jobs[i].output != NULL) {
            vec_push(&outputs, plan.jobs[i].output);
        }
    }
    if (probe_outputs(args, &outputs) != 0) {
        return 1;
    }
    const struct job_runner runner = {
        .temporary = tools->temporary,
        .headers = tools->include,
        .limit = args->action.threads,
        .trace = args->action.verbose ? trace_of(args) : NULL,
    };
    if (args->action.time) {
        timing_start(times);
    }
    int status = job_run_all(&plan, &runner);
    if (args->action.time) {
        timing_add_since(TIMING_STEP, "cdpcc itself", "", 0);
        time_table_print(stderr, times);
    }
    return status;
}

/* The program gets the user's TMPDIR, not the temporary directory of the build. */
static int run_program(const struct args *args, const struct tools *tools, const char *user_tmpdir)
{
    if (user_tmpdir == NULL) {
        unsetenv("TMPDIR");
    } else {
        setenv("TMPDIR", user_tmpdir, 1);
    }
    struct vec words = {.items = NULL};
    vec_push(&words, plan_output(args, tools));
    vec_append(&words, &args->action.run_arguments);
    return job_run_program(&words);
}

/* The directory is removed in any case, unless the user wants to keep it. */
static int build_and_run(const struct args *args, struct tools *tools)
{
    const char *user_tmpdir = getenv("TMPDIR");
    if (user_tmpdir != NULL) {
        user_tmpdir = str_copy(user_tmpdir, strlen(user_tmpdir));
    }
    job_prepare();
    tools->temporary = temp_create(args->action.keep ? args->action.keep_directory : NULL);
    if (tools->temporary == NULL) {
        return 1;
    }
    setenv("TMPDIR", tools->temporary, 1); /* the compiler's own temporary files too */
    int status = build(args, tools);
    bool stopped = status > 128;
    if (status == 0 && args->action.run) {
        status = run_program(args, tools, user_tmpdir);
    }
    temp_finish(args->action.keep);
    if (stopped) {
        /* Our caller must see that a signal ended us. */
        sigset_t all;
        sigfillset(&all);
        signal(status - 128, SIG_DFL);
        raise(status - 128);
        sigprocmask(SIG_UNBLOCK, &all, NULL);
    }
    return status;
}

/* nvcc --run PROGRAM: the program finds the libraries of the toolkit. */
static int run_existing(const struct args *args)
{
    const char *path = getenv("LD_LIBRARY_PATH"), *toolkit = tools_toolkit();
    bool has_path = path != NULL && path[0] != '\0';
    struct vec words = {.items = NULL};
    if (toolkit != NULL) {
        setenv("LD_LIBRARY_PATH",
               str_format("%s/lib64%s%s", toolkit, has_path ? ":" : "", has_path ? path : ""), 1);
    }
    vec_push(&words, args->action.program);
    vec_append(&words, &args->action.run_arguments);
    if (args->action.show_plan) {
        fprintf(stderr, "%s%s\n", trace_of(args), args->action.program);
        return 0;
    }
    job_prepare();
    return job_run_program(&words);
}

/* Options whose answer is a text on standard output. */
static bool asks_for_text(const struct args *args)
{
    return args->action.help || args->action.version || args->action.list_codes ||
           args->action.list_arches;
}

static int print_text(const struct args *args)
{
    if (args->action.help) {
        args_print_help();
    } else if (args->action.version && args->action.as_nvcc) {
        nvcc_print_version();
    } else if (args->action.version) {
        print_version();
    } else {
        nvcc_print_architectures(args);
    }
    return finish_printing(stdout, "standard output");
}

int main(int argc, char **argv)
{
    const char *const *words = (const char *const *)argv;
    struct args args;
    struct tools tools = {.temporary = "/tmp/cdpcc-XXXXXX"};
    open_standard_descriptors();
    int failed = args_parse(&args, argc, words);
    if (failed == 0 && asks_for_text(&args)) {
        return print_text(&args);
    }
    if (args.action.as_nvcc && (args.action.verbose || args.action.show_plan)) {
        nvcc_print_environment(&args, tools_toolkit());
    }
    if (failed == 0 && args.action.program != NULL) {
        return run_existing(&args);
    }
    bool needs_inputs = args.action.init == NULL;
    if (failed != 0 || (needs_inputs && probe_inputs(&args, argc, words) != 0) ||
        tools_find(&tools, args.target) != 0) {
        return 1;
    }
    if (args.action.init != NULL) {
        return init_write(&args, &tools) != 0 ? 1 : finish_printing(stdout, "standard output");
    }
    diag_hide_macros_of(tools.include);
    if (args.action.run) {
        rebuild_announce(&args, argc, words);
    }
    probe_toolkits(&args, tools.include);
    args.action.loads_modules |= args.output == OUTPUT_PROGRAM && link_loads_libraries(&args);
    args.action.shared_runtime |= args.action.loads_modules || link_wants_shared_runtime(&args);
    if (args.action.show_plan) {
        const struct plan plan = plan_make(&args, &tools);
        print_plan(&plan, args.action.verbose, trace_of(&args));
        return finish_printing(stderr, "standard error");
    }
    return build_and_run(&args, &tools);
}
