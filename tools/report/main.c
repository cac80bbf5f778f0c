/* cdp-report: runs a program and writes a page that shows what ran.
 *
 * The program writes its trace, its profile and the findings of its checks into a folder for
 * temporary files. The page is made of them when the program has ended, however it ended. */
#include "report/page.h"
#include "report/run.h"
#include "report/tidy.h"
#include "support/arena.h"
#include "support/str.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICES = 50000, MOST_SLICES = 1000000 };

static const char usage[] =
    "cdp-report [OPTIONS] PROGRAM ARGUMENTS...: runs the program, and writes one HTML file that\n"
    "shows which grid launched which, when everything ran, and what the checks found\n"
    "\n"
    "  -o, --output FILE   the page; otherwise PROGRAM.report.html in this folder\n"
    "  --block KERNEL[:X,Y,Z]   also shows what the threads of this block do at barriers and warp\n"
    "                      operations, step by step; X,Y,Z is its blockIdx, otherwise 0,0,0\n"
    "  --slices N          the timeline has the N longest grids, and as many other slices (50000)\n"
    "  -h, --help\n"
    "\n"
    "A program that was built with cdpcc --check also shows its mistakes at their lines, one that\n"
    "was built with cdpcc --count what its warps did at each line.\n"
    "The exit status is the program's.\n";

/* What the command line asks for. */
struct options {
    char *const *command; /* of the program; NULL: --help */
    const char *output;   /* NULL: by the program's name */
    const char *block;    /* "KERNEL:X,Y,Z"; NULL: none */
    size_t slices;
};

/* ---- The command line ---- */

static _Noreturn void refuse(const char *message)
{
    fprintf(stderr, "cdp-report: %s\n", message);
    exit(2);
}

/* The value of an option: after "=", or the next argument. NULL: this is another option. */
static const char *value_of(char **arguments, int *at, const char *name)
{
    size_t length = strlen(name);
    const char *given = arguments[*at];
    if (str_starts(given, name) && str_starts(name, "--") && given[length] == '=') {
        return given + length + 1;
    }
    if (!str_equals(given, name)) {
        return NULL;
    }
    if (arguments[*at + 1] == NULL) {
        refuse(str_format("%s needs a value; cdp-report --help lists the options", name));
    }
    return arguments[++*at];
}

static size_t slices_of(const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*end != '\0' || end == text || text[0] == '-' || number == 0 || number > MOST_SLICES) {
        refuse(str_format("--slices %s: must be a number from 1 to %d", text, MOST_SLICES));
    }
    return number;
}

static void take_option(struct options *options, char **arguments, int *at)
{
    const char *given = arguments[*at], *value;
    if (str_equals(given, "-h") || str_equals(given, "--help")) {
        fputs(usage, stdout);
        exit(0);
    }
    if ((value = value_of(arguments, at, "-o")) != NULL ||
        (value = value_of(arguments, at, "--output")) != NULL) {
        options->output = value;
    } else if ((value = value_of(arguments, at, "--block")) != NULL) {
        options->block = value;
    } else if ((value = value_of(arguments, at, "--slices")) != NULL) {
        options->slices = slices_of(value);
    } else {
        refuse(str_format("unknown option %s; cdp-report --help lists those that exist", given));
    }
}

static struct options read_options(char **arguments)
{
    struct options options = {.slices = SLICES};
    int at = 1;
    for (; arguments[at] != NULL && arguments[at][0] == '-'; at++) {
        if (str_equals(arguments[at], "--")) {
            at++;
            break;
        }
        take_option(&options, arguments, &at);
    }
    if (arguments[at] == NULL) {
        fputs(usage, stderr);
        exit(2);
    }
    options.command = arguments + at;
    if (options.output == NULL) {
        options.output = str_format("%s.report.html", str_file_name(arguments[at]));
    }
    return options;
}

/* ---- Files ---- */

/* What is installed beside cdp-report: BIN/../name. */
static const char *installed(const char *name)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(path, '/');
    return str_format("%.*s/../%s", slash == NULL ? 0 : (int)(slash - path), path, name);
}

/* ---- The run ---- */

static bool run(struct run *run, const struct options *options, const char *folder)
{
    struct vec environment = {0};
    VEC_PUSH(&environment, "CDP_TRACE", processes_path(folder, PROCESS_TRACE), "CDP_PROFILE",
             "json", "CDP_PROFILE_LOG", processes_path(folder, PROCESS_PROFILE), "CDP_CHECK_JSON",
             processes_path(folder, PROCESS_FINDINGS), "CDP_COUNT",
             processes_path(folder, PROCESS_COUNTS));
    if (options->block != NULL) {
        VEC_PUSH(&environment, "CDP_STEPS", options->block, "CDP_STEPS_LOG",
                 processes_path(folder, PROCESS_STEPS));
    }
    /* For NVIDIA's own headers of NVTX in programs with the shared runtime. */
    const char *library = installed("lib/libcdprt.so");
    if (getenv("NVTX_INJECTION64_PATH") == NULL && access(library, R_OK) == 0) {
        VEC_PUSH(&environment, "NVTX_INJECTION64_PATH", library);
    }
    fflush(NULL);
    return run_program(run, options->command, environment.items);
}

/* The page is written beside an older one, and takes its place when it is whole. What is no regular
 * file, such as a pipe, is written itself. */
struct output {
    FILE *file;
    const char *name;    /* of the page */
    const char *written; /* what is open: the name with ".part", or the name */
};

static struct output open_output(const char *name)
{
    struct stat status;
    bool is_special = stat(name, &status) == 0 && !S_ISREG(status.st_mode);
    struct output output = {.name = name,
                            .written = is_special ? name : str_format("%s.part", name)};
    output.file = fopen(output.written, "we");
    if (output.file == NULL) {
        refuse(str_format("'%s' cannot be written: %s", name, strerror(errno)));
    }
    if (!is_special) {
        tidy_add(output.written);
    }
    return output;
}

/* For what the program writes. */
static const char *make_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    char *folder = str_format("%s/cdp-report-XXXXXX", temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(folder) == NULL) {
        int reason = errno;
        tidy_now();
        refuse(str_format("no folder for temporary files can be made ('%s'): %s", folder,
                          strerror(reason)));
    }
    tidy_add(folder);
    return folder;
}

/* False: a sentence says why there is no page. */
static bool write_page(const struct output *output, const struct page *page)
{
    const char *name = output->name;
    bool is_written = page_write(output->file, page);
    bool has_failed = ferror(output->file) != 0;
    has_failed |= fclose(output->file) != 0;
    has_failed =
        has_failed || (is_written && output->written != name && rename(output->written, name) != 0);
    if (has_failed && is_written) {
        fprintf(stderr, "cdp-report: '%s' cannot be written: %s\n", name, strerror(errno));
        is_written = false;
    }
    if (is_written) {
        fprintf(stderr, "cdp-report: the page is %s; open it in a browser\n", name);
    }
    return is_written;
}

int main(int count, char **arguments)
{
    (void)count;
    struct options options = read_options(arguments);
    struct run result = {0};
    struct processes processes = {0};
    struct page page = {.command = options.command,
                        .run = &result,
                        .processes = &processes,
                        .most_slices = options.slices,
                        .folder = installed("share/cdpcc/report")};
    if (!page_has_template(page.folder)) {
        return 2;
    }
    tidy_catch_signals();
    /* Before the program runs: a long run shall not be lost. */
    struct output output = open_output(options.output);
    const char *folder = make_folder();
    bool has_run = run(&result, &options, folder);
    processes_find(&processes, folder, result.process);
    run_release_signals();
    bool is_written = has_run && write_page(&output, &page);
    struct processes late = {0}; /* of processes that still ran: only to remove their files */
    processes_find(&late, folder, 0);
    tidy_now();
    return has_run && !is_written && result.status == 0 ? 2 : result.status;
}
