/* One form of some workloads, as a process that measures when it is asked to.
 *
 * Several forms of the same workloads (CUDA by block entries, by thread entries, OpenMP)
 * are several processes, so that no form's threads, memory or switches are in another's
 * way; bench/common/alternate.c asks them in turn. A request is a line with a workload's
 * name, the answer a line with the seconds it took, or with what went wrong. "?" lists the
 * workloads. */
#ifndef BENCH_SERVE_H
#define BENCH_SERVE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One row of a form's table.
 * run does the work; the time of `repeats` of them in a row is divided by their number.
 * Invariant: after prepare and any number of runs, is_right tells whether the results are
 * what as many runs must give. finish frees what prepare took. */
struct workload {
    const char *name;
    const char *what; /* the row's title */
    double bar;       /* the ratio that counts as reached; 0: none */
    int repeats;
    void (*prepare)(void);
    void (*run)(void);
    bool (*is_right)(int runs);
    void (*finish)(void);
};

/* Answers requests until the standard input ends; returns the process's exit status.
 * BENCH_REPEATS=n replaces the numbers of repeats. */
int serve(const struct workload *workloads, int count);

#ifdef __cplusplus
}
#endif

#endif
