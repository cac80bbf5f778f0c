/* Runs the jobs of a plan.
 *
 * The runner's signals are blocked and received one by one with sigwaitinfo. So there are no
 * handlers and no races. A signal is the end of a child, or a request to stop.
 *
 * A job waits until its needs have ended, runs, and ends in one of these states:
 *
 *     DONE         it succeeded
 *     SKIPPED      its condition does not hold: no managed variables, no PTX
 *     RETRIED      it failed for PTX constraints; other jobs of the plan take its place
 *     FAILED       and the other jobs of its unit are useless
 *     CANCELLED    a job that it needs has failed, or it was stopped
 *
 * A job that fails because of a form that only nvcc accepts goes back to WAITING, with a respelled
 * source. Respelling must find something new each time, so this ends.
 *
 * Messages are captured in files, one for each job, and shown in the order of the plan. So the
 * output of a parallel build is the same each time. */
#include "driver/job.h"

#include "driver/asm_constraints.h"
#include "driver/device.h"
#include "driver/depend.h"
#include "driver/diag.h"
#include "driver/module_text.h"
#include "driver/precompiled.h"
#include "driver/respell.h"
#include "driver/temp.h"
#include "instrument/host_calls.h"
#include "lower/managed.h"
#include "support/arena.h"
#include "support/str.h"
#include "support/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum state { WAITING, RUNNING, DONE, SKIPPED, RETRIED, FAILED, CANCELLED };

/* The runner's state of one job. child is valid in RUNNING, status after it. */
struct progress {
    enum state state;
    pid_t child;
    int status;           /* of waitpid */
    const char *messages; /* file with the child's stderr */
    int64_t started;      /* time by now_ms */
    int64_t deadline;     /* when to stop it, because another job of the unit failed; 0: never */
    bool is_stopping;     /* SIGTERM was sent; the deadline is SIGKILL's */
    bool is_shown;        /* its messages */
    bool is_again;        /* the second try, see first_try */
    unsigned respelled;   /* version of the respelled source that it reads */
};

/* The state of job_run_all, on its stack. The arrays are in the arena. */
struct run {
    const struct plan *plan;
    const struct job_runner *runner;
    struct progress *progress;    /* one per job */
    struct respelling *respelled; /* one per unit; element 0 is unused */
    unsigned running;
    int signal; /* the signal that requested the stop; 0 = none */
};

/* The time for a job to end after a stop, and for a job to continue after its unit has failed. */
enum { PATIENCE_MS = 2000 };

static sigset_t watched, inherited;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void job_prepare(void)
{
    static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(&watched);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        sigaddset(&watched, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &watched, &inherited);
    /* If the parent process ignores SIGCHLD, we would inherit this and wait for ever. */
    signal(SIGCHLD, SIG_DFL);
}

static const char *read_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        if (fd >= 0) {
            close(fd);
        }
        return "";
    }
    size_t size = (size_t)info.st_size, length = 0;
    char *text = arena_alloc(size + 1);
    ssize_t got = 1;
    while (length < size && (got > 0 || errno == EINTR)) {
        got = read(fd, text + length, size - length);
        length += got > 0 ? (size_t)got : 0;
        if (got == 0) {
            break;
        }
    }
    close(fd);
    return text;
}

/* Whether a file contains a word anywhere. */
static bool file_holds(const char *path, const char *word)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return false;
    }
    return memmem(read_file(path), (size_t)info.st_size, word, strlen(word)) != NULL;
}

/* Starting. */

/* Adds the files of the parts that the lowering wrote separately. */
static void add_parts(struct vec *words, const char *parts)
{
    const char *path = lower_part_path(parts, 0);
    for (unsigned part = 1; access(path, F_OK) == 0; part++) {
        vec_push(words, path);
        path = lower_part_path(parts, part);
    }
}

/* The words of the respelling come first, after the program's name. */
static struct vec command(const struct run *run, const struct job *job)
{
    const struct progress *progress = &run->progress[job - run->plan->jobs];
    struct vec words = {.items = NULL};
    vec_push(&words, job->argv.items[0]);
    if (job->reads_source) {
        respell_words(&run->respelled[job->unit], &words);
    }
    for (size_t i = 1; i < job->argv.count; i++) {
        if (job->in_parts != NULL && str_equals(job->argv.items[i], job->in_parts)) {
            add_parts(&words, job->in_parts);
        } else if (!progress->is_again || !str_equals(job->argv.items[i], job->first_try)) {
            vec_push(&words, job->argv.items[i]);
        }
    }
    return words;
}

/* Standard input is empty, messages go to a file, and the child is in the group that the guard
 * ends. -1 after printing an error. */
static pid_t spawn(const struct run *run, const struct job *job, const char *messages)
{
    struct vec argv = command(run, job);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, temp_group());
    posix_spawnattr_setsigmask(&attributes, &inherited);
    pid_t child;
    int failed = posix_spawn(&child, argv.items[0], &files, &attributes,
                             (char *const *)(const void *)argv.items, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) {
        diag_error("cannot run '%s': %s", argv.items[0], strerror(failed));
        return -1;
    }
    return child;
}

static const char *step_of(const struct job *job)
{
    return job->step != NULL ? job->step : job->about;
}

/* Compiles a source that includes cdpcc's header first. Errors about PTX assembly need no second
 * run without the precompiled header: other jobs then compile the unit, and these messages are
 * dropped. */
static int compile(const struct run *run, const struct job *job, const char *messages)
{
    if (precompiled_run(&job->argv, run->runner->headers, step_of(job))) {
        return 0;
    }
    bool is_ptx = job->may_be_ptx && ptx_asm_is_cause(read_file(messages));
    return is_ptx ? 1 : precompiled_run_without(&job->argv);
}

/* In the child. Returns 0, or 1 after printing an error. */
static int call(const struct run *run, const struct job *job, const char *messages)
{
    switch (job->kind) {
    case JOB_COMMAND:
        return compile(run, job, messages);
    case JOB_LOWER:
        return lower_device(&job->lower);
    case JOB_MANAGED:
        return lower_host_managed(job->from, job->to);
    case JOB_HOST_CALLS:
        return instrument_host_calls(&job->lower.checks, job->from, job->to);
    case JOB_PTX_TEXT:
        return ptx_asm_rewrite(job->from, job->to);
    case JOB_DEPEND:
        return depend_rewrite(job->from, job->to);
    case JOB_MODULE_TEXT:
        return module_text_write(job->from, job->to, job->lower.arch);
    }
    return 1;
}

/* Our own work also runs in a child, in parallel with other jobs. A crash in it is then a message,
 * and does not end cdpcc. */
static pid_t fork_call(const struct run *run, const struct job *job, const char *messages)
{
    fflush(NULL);
    pid_t child = fork();
    if (child != 0) {
        if (child < 0) {
            diag_error("cannot start a process: %s", strerror(errno));
        }
        return child;
    }
    temp_leave_to_parent();
    setpgid(0, temp_group());
    sigprocmask(SIG_SETMASK, &inherited, NULL);
    int fd = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, 2) < 0) {
        _exit(1);
    }
    int failed = call(run, job, messages);
    fflush(NULL);
    _exit(failed != 0);
}

/* Whether cdpcc's code runs in the child. A respelled source may come with other headers. */
static bool runs_here(const struct run *run, const struct job *job)
{
    return job->kind != JOB_COMMAND ||
           (job->reads_source && run->respelled[job->unit].version == 0 &&
            precompiled_suits(&job->argv, run->runner->headers));
}

/* The state becomes RUNNING, or FAILED if there is no process. */
static void start(struct run *run, size_t index)
{
    const struct job *job = &run->plan->jobs[index];
    struct progress *progress = &run->progress[index];
    if (run->runner->trace != NULL) {
        struct job now = *job;
        now.argv = progress->is_again ? command(run, job) : job->argv;
        fprintf(stderr, "%s%s\n", run->runner->trace, job_text(&now));
    }
    progress->messages = str_format("%s/%zu.messages", run->runner->temporary, index);
    progress->started = now_ms();
    progress->respelled = run->respelled[job->unit].version;
    progress->child = runs_here(run, job) ? fork_call(run, job, progress->messages)
                                          : spawn(run, job, progress->messages);
    progress->state = progress->child < 0 ? FAILED : RUNNING;
    run->running += progress->state == RUNNING;
}

/* Whether a job of a unit has failed: then its other jobs are useless. */
static bool has_failed(const struct run *run, size_t unit)
{
    for (size_t i = 0; unit != 0 && i < run->plan->count; i++) {
        if (run->plan->jobs[i].unit == unit && run->progress[i].state == FAILED) {
            return true;
        }
    }
    return false;
}

/* The next state of a waiting job: it can start (RUNNING), must wait, or never runs. */
static enum state judge(const struct run *run, const struct job *job)
{
    if (has_failed(run, job->unit)) {
        return CANCELLED;
    }
    for (size_t i = 0; i < job->needs.count; i++) {
        switch (run->progress[job->needs.items[i]].state) {
        case WAITING:
        case RUNNING:
            return WAITING;
        case FAILED:
        case CANCELLED:
            return CANCELLED;
        case DONE:
        case SKIPPED:
        case RETRIED:
            break;
        }
    }
    if (job->when == JOB_IF_PTX && run->progress[job->condition].state != RETRIED) {
        return SKIPPED;
    }
    if (job->when == JOB_IF_MANAGED && !file_holds(job->evidence, "cdp.managed")) {
        return SKIPPED;
    }
    return RUNNING;
}

/* Starts jobs in the order of the plan, up to the limit. */
static void start_ready(struct run *run)
{
    for (size_t i = 0; i < run->plan->count; i++) {
        if (run->progress[i].state != WAITING || run->signal != 0) {
            continue;
        }
        enum state next = judge(run, &run->plan->jobs[i]);
        if (next == RUNNING && run->running < run->runner->limit) {
            start(run, i);
        } else if (next != RUNNING) {
            run->progress[i].state = next;
        }
    }
}

/* Ending. */

/* A partly written file would look newer than its source to make. Devices such as /dev/null
 * stay. */
static void remove_output(const struct job *job)
{
    struct stat info;
    if (job->output != NULL && stat(job->output, &info) == 0 && S_ISREG(info.st_mode)) {
        unlink(job->output);
    }
}

/* Stops the other compilation of a unit after one has failed. The other one gets as much time again
 * as it has had, which is short, because both read the same source. So each reports the errors that
 * only it finds, whichever ends first. */
static void stop_others(struct run *run, size_t unit)
{
    int64_t now = now_ms();
    for (size_t i = 0; unit != 0 && i < run->plan->count; i++) {
        struct progress *other = &run->progress[i];
        if (run->plan->jobs[i].unit == unit && other->state == RUNNING && other->deadline == 0) {
            int64_t had = now - other->started;
            other->deadline = now + (had < PATIENCE_MS ? had : PATIENCE_MS);
        }
    }
}

/* Whether a failed job may succeed with the source that is respelled by now. */
static bool can_respell(const struct run *run, size_t index)
{
    const struct job *job = &run->plan->jobs[index];
    const struct progress *progress = &run->progress[index];
    struct respelling *respelling = &run->respelled[job->unit];
    const char *stem = str_format("%s/%zu-respelled", run->runner->temporary, job->unit);
    return job->reads_source && WIFEXITED(progress->status) &&
           (respell_after(respelling, read_file(progress->messages), run->runner->headers, stem) ||
            progress->respelled < respelling->version);
}

/* Decides the state of a job that has ended. */
static void settle(struct run *run, size_t index, int status)
{
    const struct job *job = &run->plan->jobs[index];
    struct progress *progress = &run->progress[index];
    progress->status = status;
    progress->child = 0;
    run->running--;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        progress->state = DONE;
    } else if (progress->is_stopping) {
        progress->state = CANCELLED;
        remove_output(job);
    } else if (job->first_try != NULL && !progress->is_again) {
        progress->is_again = true;
        progress->state = WAITING;
        progress->messages = NULL;
    } else if (can_respell(run, index)) {
        progress->state = WAITING;
        progress->messages = NULL;
    } else if (job->may_be_ptx && ptx_asm_is_cause(read_file(progress->messages))) {
        progress->state = RETRIED;
    } else {
        progress->state = FAILED;
        remove_output(job);
        stop_others(run, job->unit);
    }
}

/* Several children may have ended with one signal, so all are asked. */
static void reap(struct run *run)
{
    for (size_t i = 0; i < run->plan->count; i++) {
        int status;
        struct rusage usage;
        if (run->progress[i].state == RUNNING &&
            wait4(run->progress[i].child, &status, WNOHANG, &usage) > 0) {
            timing_add(TIMING_STEP, step_of(&run->plan->jobs[i]), "", timing_of(&usage));
            settle(run, i, status);
        }
    }
}

/* Stops jobs whose deadline has passed. Returns the next deadline, or 0. */
static int64_t enforce_deadlines(struct run *run)
{
    int64_t now = now_ms(), next = 0;
    for (size_t i = 0; i < run->plan->count; i++) {
        struct progress *progress = &run->progress[i];
        if (progress->state != RUNNING || progress->deadline == 0) {
            continue;
        }
        if (progress->deadline <= now) {
            kill(progress->child, progress->is_stopping ? SIGKILL : SIGTERM);
            progress->is_stopping = true;
            progress->deadline = now + PATIENCE_MS;
        }
        next = next == 0 || progress->deadline < next ? progress->deadline : next;
    }
    return next;
}

/* Messages. */

/* Whether the job will not run again. */
static bool is_settled(enum state state)
{
    return state != WAITING && state != RUNNING;
}

/* Whether a job's messages must be shown, also those of a job that was stopped later. */
static bool has_messages(const struct progress *progress)
{
    return progress->messages != NULL &&
           (progress->state == DONE || progress->state == FAILED || progress->state == CANCELLED);
}

/* The messages of a job. Compilers and linkers have many messages for a full disk, and few of them
 * name the file that could not be written. */
static const char *words_of(const struct run *run, size_t index)
{
    const struct job *job = &run->plan->jobs[index];
    const struct progress *progress = &run->progress[index];
    const char *text = read_file(progress->messages), *full = strerror(ENOSPC);
    if (progress->state != FAILED || strstr(text, full) == NULL) {
        return respell_in_own_words(&run->respelled[job->unit], text);
    }
    return job->output != NULL
               ? str_format("cdpcc: error: cannot write '%s': %s\n", job->output, full)
               : str_format("cdpcc: error: %s: cannot write: %s\n", job->about, full);
}

/* Reports a failure that the compiler itself did not report. */
static void show_end(const struct job *job, const struct progress *progress)
{
    if (progress->state != FAILED) {
        return;
    }
    if (WIFSIGNALED(progress->status)) {
        diag_error("%s ended by signal %d (%s)", job->about, WTERMSIG(progress->status),
                   strsignal(WTERMSIG(progress->status)));
    } else if (progress->messages == NULL || *read_file(progress->messages) == '\0') {
        diag_error("%s failed with status %d", job->about, WEXITSTATUS(progress->status));
    }
}

/* Shows the compilations of a unit's source together; false while one of them is running. */
static bool show_passes(struct run *run, size_t unit)
{
    const struct plan *plan = run->plan;
    struct diag_pass *passes = arena_alloc(plan->count * sizeof(*passes));
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct job *job = &plan->jobs[i];
        struct progress *progress = &run->progress[i];
        if (job->unit != unit || job->says != JOB_SAYS_AS_PASS) {
            continue;
        }
        if (!is_settled(progress->state)) {
            return false;
        }
        if (has_messages(progress)) {
            const char *source = job->when == JOB_IF_PTX ? words_of(run, job->condition) : NULL;
            passes[count++] = (struct diag_pass){words_of(run, i), source};
        }
    }
    diag_show_passes(passes, count);
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->jobs[i].unit == unit && plan->jobs[i].says == JOB_SAYS_AS_PASS) {
            show_end(&plan->jobs[i], &run->progress[i]);
            run->progress[i].is_shown = true;
        }
    }
    return true;
}

/* Shows the messages of jobs in the plan's order, up to the first job that has not ended. */
static void show_messages(struct run *run)
{
    for (size_t i = 0; i < run->plan->count; i++) {
        struct progress *progress = &run->progress[i];
        const struct job *job = &run->plan->jobs[i];
        if (progress->is_shown) {
            continue;
        }
        if (!is_settled(progress->state) ||
            (job->says == JOB_SAYS_AS_PASS && !show_passes(run, job->unit))) {
            return;
        }
        if (job->says != JOB_SAYS_AS_PASS && has_messages(progress)) {
            const char *text = words_of(run, i);
            if (job->says == JOB_SAYS_MORE) {
                diag_show(text);
            } else {
                diag_show_raw(text);
            }
            show_end(job, progress);
        }
        progress->is_shown = true;
    }
}

/* Ends all children: first they get time to clean up, then they are killed. */
static void stop_all(struct run *run)
{
    const struct timespec patience = {.tv_sec = 2};
    kill(-temp_group(), SIGTERM);
    while (run->running != 0) {
        sigset_t ends;
        sigemptyset(&ends);
        sigaddset(&ends, SIGCHLD);
        bool impatient = sigtimedwait(&ends, NULL, &patience) < 0 && errno == EAGAIN;
        for (size_t i = 0; impatient && i < run->plan->count; i++) {
            if (run->progress[i].state == RUNNING) {
                kill(run->progress[i].child, SIGKILL);
            }
        }
        reap(run);
    }
}

/* The signal that arrived: for a child's end, or to stop; 0 when a job's deadline passed. */
static int wait_for_signal(struct run *run)
{
    int64_t next = enforce_deadlines(run);
    if (next == 0) {
        return sigwaitinfo(&watched, NULL);
    }
    int64_t left = next - now_ms();
    left = left > 0 ? left : 0;
    const struct timespec time = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
    int signal_number = sigtimedwait(&watched, NULL, &time);
    return signal_number > 0 ? signal_number : 0;
}

int job_run_all(const struct plan *plan, const struct job_runner *runner)
{
    struct run run = {.plan = plan, .runner = runner};
    run.progress = arena_alloc((plan->count + 1) * sizeof(*run.progress));
    run.respelled = arena_alloc((plan->units + 1) * sizeof(*run.respelled));
    start_ready(&run);
    while (run.running != 0) {
        int signal_number = wait_for_signal(&run);
        if (signal_number > 0 && signal_number != SIGCHLD) {
            run.signal = signal_number;
            stop_all(&run);
            return 128 + run.signal;
        }
        reap(&run);
        start_ready(&run);
        show_messages(&run);
    }
    show_messages(&run);
    diag_show_totals();
    for (size_t i = 0; i < plan->count; i++) {
        if (run.progress[i].state == FAILED) {
            return 1;
        }
    }
    return 0;
}

/* The program has the user's signal mask, standard input and output. */
int job_run_program(const struct vec *argv)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &inherited);
    pid_t child;
    fflush(NULL);
    int failed = posix_spawn(&child, argv->items[0], NULL, &attributes,
                             (char *const *)(const void *)argv->items, environ);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) {
        diag_error("cannot run '%s': %s", argv->items[0], strerror(failed));
        return 1;
    }
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        siginfo_t info;
        int signal_number = sigwaitinfo(&watched, &info);
        /* The program itself receives signals from the terminal. */
        if (signal_number > 0 && signal_number != SIGCHLD && info.si_code != SI_KERNEL) {
            kill(child, signal_number);
        }
    }
    if (WIFEXITED(status)) {
        return WEXITSTATUS(status);
    }
    diag_error("the program ended by signal %d (%s)", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}
