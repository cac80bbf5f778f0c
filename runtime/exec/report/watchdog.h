/* CDP_TIMEOUT: when no launch of the host has completed for that long while one is
 * pending, reports where every thread of every started block stands, and fails the
 * tree with cudaErrorLaunchTimeout.
 *
 * A thread of the engine's looks at counters that are kept anyway, so running code
 * pays nothing.  A worker tells of its own blocks, since nobody else may look at them:
 * as a task in its mailbox, or, if it does not get to that because device code loops,
 * after a signal.  The signal interrupts device code only, recognized by the program's
 * symbols: the runtime and the C library are left to finish, and followed by single
 * steps to where they return (on x86-64). */
#ifndef CDP_EXEC_REPORT_WATCHDOG_H
#define CDP_EXEC_REPORT_WATCHDOG_H

#include <stdbool.h>

#include "base/attr.h"

struct cdp_engine;
struct cdp_executor;
struct cdp_watchdog;

/* With CDP_TIMEOUT: sets engine->watchdog, or says that there is no thread for it.  False when out
 * of memory. */
bool cdp_watchdog_start(struct cdp_engine *engine) CDP_MUST_CHECK;
/* Ends its thread: before the workers end. */
void cdp_watchdog_stop(struct cdp_engine *engine);
/* Once no worker is left that a signal could reach. */
void cdp_watchdog_destroy(struct cdp_engine *engine);

/* The calling OS thread begins, or ceases, to run the executor. */
void cdp_watchdog_enter(struct cdp_executor *executor);
void cdp_watchdog_leave(struct cdp_executor *executor);
/* It runs a host function until it enters again. */
void cdp_watchdog_host_function(struct cdp_executor *executor);

#endif
