/* Brief launches: the launching host thread runs them itself.
 *
 * To wake a worker takes microseconds of the launching thread's time.  A grid of few threads takes
 * less time if its kernel is known to end soon (CDP_KERNEL_BRIEF).  So if all workers sleep, the
 * host thread of executor 0 runs this one grid in the launch.  It takes no other work, wakes no
 * worker, and never waits.  If many such launches follow each other, a worker is woken after about
 * the time that a wake takes. */
#ifndef CDP_EXEC_LOOP_BRIEF_H
#define CDP_EXEC_LOOP_BRIEF_H

#include <stdbool.h>

#include "base/attr.h"
#include "exec/state/grid.h"

struct cdp_engine;

/* Runs the host's grid if all these conditions hold.  The grid is ready and counted, but not
 * offered to any worker.  False: nothing was done.  Called by the launching thread, which holds no
 * lock. */
bool cdp_brief_try(struct cdp_engine *engine, struct cdp_grid *grid);

#endif
