/* Runs the program. Its standard error goes through a pipe, so that the page can show it.
 *
 * A signal from the terminal reaches the program as well as cdp-report, which waits for the
 * program's end. Other signals that end programs are passed on. When the program has ended, signals
 * end cdp-report. */
#include "report/run.h"

#include "report/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t child;   /* 0: it does not run */
static volatile sig_atomic_t waiting; /* a signal that came while it did not run, or 0 */

static void pass_on(int number)
{
    if (child != 0) {
        kill((pid_t)child, number);
    } else {
        waiting = number;
    }
}

/* The child runs now. A signal that came before is for it. */
static void set_child(pid_t pid)
{
    child = (sig_atomic_t)pid;
    if (waiting != 0) {
        kill(pid, (int)waiting);
        waiting = 0;
    }
}

static const int signals[] = {SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction given[SIGNALS]; /* as cdp-report got them; const while the program runs */

/* What was ignored (nohup) stays so. The page is written even if standard error is a pipe without a
 * reader. */
static void handle_signals(void)
{
    for (int i = 0; i < SIGNALS; i++) {
        bool is_passed_on = signals[i] == SIGTERM || signals[i] == SIGHUP;
        struct sigaction action = {.sa_handler = is_passed_on ? pass_on : SIG_IGN,
                                   .sa_flags = SA_RESTART};
        sigaction(signals[i], NULL, &given[i]);
        if (given[i].sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

/* In the child: handlers of cdp-report are none of the program's. */
static void reset_signals(void)
{
    for (int i = 0; i < SIGNALS; i++) {
        if (given[i].sa_handler != SIG_IGN) {
            signal(signals[i], SIG_DFL);
        }
    }
}

void run_release_signals(void)
{
    for (int i = 0; i < SIGNALS; i++) {
        if (signals[i] != SIGPIPE) {
            sigaction(signals[i], &given[i], NULL);
        }
    }
    if (waiting != 0) {
        raise((int)waiting);
    }
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* In the child. The parent learns of a failure by a number in the pipe. */
static _Noreturn void become(char *const *command, const char *const *environment, int errors,
                             int failure)
{
    reset_signals();
    dup2(errors, STDERR_FILENO);
    for (; *environment != NULL; environment += 2) {
        setenv(environment[0], environment[1], 1);
    }
    execvp(command[0], command);
    int reason = errno;
    ssize_t written = write(failure, &reason, sizeof reason);
    _exit(written == sizeof reason ? 127 : 126);
}

static void take_errors(struct run *run, const char *bytes, size_t size)
{
    size_t room = RUN_MOST_ERRORS - run->errors_size;
    run->errors_are_cut |= size > room;
    size = size > room ? room : size;
    for (size_t i = 0; i < size; i++) { /* text ends at a zero byte */
        run->errors[run->errors_size++] = bytes[i] != '\0' ? bytes[i] : '?';
    }
}

static void write_all(const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(STDERR_FILENO, bytes, size);
        if (written < 0 && errno != EINTR) {
            return;
        }
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
}

/* False: the pipe is empty, or has no writer. */
static bool copy_errors(struct run *run, int from)
{
    char bytes[4096];
    ssize_t size = read(from, bytes, sizeof bytes);
    if (size < 0 && errno == EINTR) {
        return true;
    }
    if (size <= 0) {
        return false;
    }
    write_all(bytes, (size_t)size);
    take_errors(run, bytes, (size_t)size);
    return true;
}

/* Waits until the pipe has bytes or the program has ended. */
static void wait_for_event(struct pollfd *events)
{
    events[0].revents = events[1].revents = 0;
    if (poll(events, 2, -1) < 0) {
        events[0].revents = events[1].revents = 0; /* a signal */
    }
}

/* Copies until the program ends, and then what is left in the pipe: a process in the background may
 * keep it open for ever. */
static void copy_until_end(struct run *run, pid_t pid, int from)
{
    int ends = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd events[2] = {{.fd = from, .events = POLLIN}, {.fd = ends, .events = POLLIN}};
    while (ends >= 0 && events[1].revents == 0) {
        wait_for_event(events);
        if (events[0].revents != 0 && !copy_errors(run, from)) {
            events[0].fd = -1; /* closed by all writers */
        }
    }
    if (ends >= 0) {
        fcntl(from, F_SETFL, O_NONBLOCK);
        close(ends);
    }
    while (copy_errors(run, from)) {
    }
}

static void wait_for(struct run *run, pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    child = 0;
    run->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    run->status = WIFSIGNALED(status) ? 128 + run->signal : WEXITSTATUS(status);
}

static bool make_pipes(int *errors, int *failure)
{
    return pipe2(errors, O_CLOEXEC) == 0 && pipe2(failure, O_CLOEXEC) == 0;
}

/* A shell, too, searches a name without a slash in PATH only. */
static void say_why(const char *program, int reason)
{
    bool is_name = reason == ENOENT && strchr(program, '/') == NULL;
    fprintf(stderr, "cdp-report: the program '%s' cannot be started: %s", program,
            is_name ? "no such program in PATH" : strerror(reason));
    if (is_name && access(program, F_OK) == 0) {
        fprintf(stderr, "; did you mean ./%s?", program);
    }
    fputc('\n', stderr);
}

bool run_program(struct run *run, char *const *command, const char *const *environment)
{
    int errors[2], failure[2], reason = 0;
    uint64_t began = now();
    run->errors = memory_grow(NULL, RUN_MOST_ERRORS + 1);
    handle_signals();
    pid_t pid = make_pipes(errors, failure) ? fork() : -1;
    if (pid < 0) {
        fprintf(stderr, "cdp-report: no process can be started: %s\n", strerror(errno));
        run->status = 126;
        return false;
    }
    if (pid == 0) {
        become(command, environment, errors[1], failure[1]);
    }
    set_child(pid);
    run->process = pid;
    close(errors[1]);
    close(failure[1]);
    bool has_failed = read(failure[0], &reason, sizeof reason) == sizeof reason;
    copy_until_end(run, pid, errors[0]);
    wait_for(run, pid);
    run->lasted = now() - began;
    run->errors[run->errors_size] = '\0';
    if (has_failed) {
        say_why(command[0], reason);
        run->status = reason == ENOENT ? 127 : 126;
    }
    return !has_failed;
}
