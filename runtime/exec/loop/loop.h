/* The loop that every fiber runs, and how OS threads enter it. */
#ifndef CDP_EXEC_LOOP_LOOP_H
#define CDP_EXEC_LOOP_LOOP_H

#include <stdbool.h>

#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* The main function of the fibers of engines that follow the schedule. */
void (*cdp_loop_of(const struct cdp_schedule *schedule))(void *fiber);

/* The main function of a worker's own thread. */
void cdp_loop_main(struct cdp_worker *worker);
/* The calling host thread runs the loop of executor 0 until done(arg). */
void cdp_loop_help(struct cdp_executor *executor, bool (*done)(void *arg), void *arg);
/* The same, but only for this grid, which no other worker can find.  Wakes no other worker. */
void cdp_loop_run_now(struct cdp_executor *executor, struct cdp_grid *grid);

/* Called by the loop: runs the task on the OS thread's own stack, which is as large as host code
 * expects. */
void cdp_loop_call(struct cdp_executor *executor, struct cdp_engine_task *task);

#endif
