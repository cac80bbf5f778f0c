/* The loop that every fiber runs, and the ways of OS threads into it. */
#ifndef CDP_EXEC_LOOP_LOOP_H
#define CDP_EXEC_LOOP_LOOP_H

#include <stdbool.h>

#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* The main function of the fibers of engines that follow the schedule. */
void (*cdp_loop_of(const struct cdp_schedule *schedule))(void *fiber);

/* The pool's entry: a worker's own thread. */
void cdp_loop_main(struct cdp_worker *worker);
/* Lends the calling host thread to executor 0 until done(arg). */
void cdp_loop_help(struct cdp_executor *executor, bool (*done)(void *arg), void *arg);
/* The same for this grid alone, which only this executor knows of; wakes nobody. */
void cdp_loop_run_now(struct cdp_executor *executor, struct cdp_grid *grid);

/* From the loop: runs the task on the OS thread's own stack, which is as large as the
 * host's code expects. */
void cdp_loop_call(struct cdp_executor *executor, struct cdp_engine_task *task);

#endif
