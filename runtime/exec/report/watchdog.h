/* CDP_TIMEOUT: if a launch of the host is pending and none has completed for that long, the
 * watchdog reports the state of each thread of all started blocks.  Then it fails the launch tree
 * with cudaErrorLaunchTimeout.
 *
 * A thread of the engine reads counters that exist anyway, so running code has no extra cost.  Each
 * worker reports its own blocks, because no other thread may access them.  It does so in a task of
 * its mailbox.  If it does not run this task because device code loops, it does so after a signal.
 * The signal interrupts device code only, which is recognized by the program's symbols.  Functions
 * of the runtime and the C library run on, by single steps, until they return to device code (on
 * x86-64). */
#ifndef CDP_EXEC_REPORT_WATCHDOG_H
#define CDP_EXEC_REPORT_WATCHDOG_H

#include <stdbool.h>

#include "base/attr.h"

struct cdp_engine;
struct cdp_executor;
struct cdp_watchdog;

/* With CDP_TIMEOUT: sets engine->watchdog, or prints that its thread could not be started.  False
 * when out of memory. */
bool cdp_watchdog_start(struct cdp_engine *engine) CDP_MUST_CHECK;
/* Ends the watchdog's thread.  Called before the workers end. */
void cdp_watchdog_stop(struct cdp_engine *engine);
/* Frees the watchdog.  Called after the workers have ended, so no signal can reach them. */
void cdp_watchdog_destroy(struct cdp_engine *engine);

/* The calling OS thread begins, or ends, to run the executor. */
void cdp_watchdog_enter(struct cdp_executor *executor);
void cdp_watchdog_leave(struct cdp_executor *executor);
/* The calling OS thread runs a host function until the next cdp_watchdog_enter. */
void cdp_watchdog_host_function(struct cdp_executor *executor);

#endif
