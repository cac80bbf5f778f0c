/* Runs the program under observation. */
#ifndef CDP_REPORT_RUN_H
#define CDP_REPORT_RUN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { RUN_MOST_ERRORS = 1 << 18 };

/* How it went. errors is owned: the beginning of what it wrote to standard error. */
struct run {
    pid_t process;   /* its number */
    int status;      /* as a shell has it: the exit status, or 128 and the signal */
    int signal;      /* that ended it, or 0 */
    uint64_t lasted; /* nanoseconds */
    char *errors;
    size_t errors_size;
    bool errors_are_cut;
};

/* Runs the command with this environment added: pairs of name and value, with a NULL at the end.
 * Standard error passes through. False: it cannot be started; a sentence was printed, and status is
 * what a shell would return. */
bool run_program(struct run *run, char *const *command, const char *const *environment);
/* From now on signals do again what they did before run_program. Only SIGPIPE stays ignored, so
 * that a page is written although standard error has no reader. */
void run_release_signals(void);

#endif
