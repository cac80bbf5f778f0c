/* Brief launches: the launching host thread runs them itself.
 *
 * To wake a worker takes microseconds, in which the launching thread does nothing else.  A grid of
 * few threads, of a kernel that is known to end soon (CDP_KERNEL_BRIEF), takes less time than
 * that.  So where all workers sleep, the host thread that lends itself to executor 0 does so in
 * the launch, for this one grid.  It takes no other work, wakes nobody, and never waits.  If such
 * launches follow each other, a worker is woken after about the time that a wake takes. */
#ifndef CDP_EXEC_LOOP_BRIEF_H
#define CDP_EXEC_LOOP_BRIEF_H

#include <stdbool.h>

#include "base/attr.h"
#include "exec/state/grid.h"

struct cdp_engine;

/* Runs the host's grid, which is ready and counted but given to nobody, if all this holds; false:
 * nothing has happened.  By the thread that launches, without locks. */
bool cdp_brief_try(struct cdp_engine *engine, struct cdp_grid *grid);

#endif
