/* Accesses to addresses that the program gave and that may be invalid. */
#ifndef CDP_EXEC_REPORT_GUARD_H
#define CDP_EXEC_REPORT_GUARD_H

#include <stdbool.h>

#include "base/attr.h"

/* Runs function(data).  The function only copies bytes: it takes no locks, allocates nothing and
 * calls no callbacks.  False, with the address, if an access faulted.  Earlier effects remain.
 * With CDP_FAULTS=signal, the program's own handler gets the fault. */
bool cdp_guard_run(void (*function)(void *data), void *data, const void **address) CDP_MUST_CHECK;

/* For the signal handler.  True if a guarded function caused the signal.  Then the thread continues
 * in cdp_guard_run after the handler. */
bool cdp_guard_caught(int signal, const void *address, void *context);

#endif
