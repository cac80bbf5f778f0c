/* One implementation of some workloads, as a process that measures on request.
 *
 * The implementations of the same workloads (CUDA by block entries, by thread entries, OpenMP) are
 * separate processes, so that no implementation's threads, memory or options disturb another
 * implementation. bench/common/alternate.c sends them requests alternately. A request is a line
 * with a workload's name. The answer is a line with the seconds it took, or with an error. "?"
 * lists the workloads. */
#ifndef BENCH_SERVE_H
#define BENCH_SERVE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One row of an implementation's table. run does the work. The time of `repeats` runs, one after
 * the other, is divided by their number. Invariant: after prepare and any number of runs, is_right
 * returns whether the results are those of this number of runs. finish frees what prepare has
 * allocated. */
struct workload {
    const char *name;
    const char *what; /* the row's title */
    double bar;       /* the ratio that is the goal; 0: none */
    int repeats;
    void (*prepare)(void);
    void (*run)(void);
    bool (*is_right)(int runs);
    void (*finish)(void);
};

/* Answers requests until the end of standard input; returns the process's exit status.
 * BENCH_REPEATS=n replaces the numbers of repeats. */
int serve(const struct workload *workloads, int count);

#ifdef __cplusplus
}
#endif

#endif
