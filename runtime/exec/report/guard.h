/* Touching memory that a program named, and that may not be there. */
#ifndef CDP_EXEC_REPORT_GUARD_H
#define CDP_EXEC_REPORT_GUARD_H

#include <stdbool.h>

#include "base/attr.h"

/* Runs function(data), which only moves bytes: no locks, no allocation, no callbacks.
 * False, with the address, if it met memory that is not there or not its to write; what
 * it did before stays done.  With CDP_FAULTS=signal the fault goes to whoever handles
 * it. */
bool cdp_guard_run(void (*function)(void *data), void *data, const void **address) CDP_MUST_CHECK;

/* For the signal handler: true if a guarded function made it, and then the thread goes on
 * in cdp_guard_run after the handler. */
bool cdp_guard_caught(int signal, const void *address, void *context);

#endif
