/* The host's launches of brief kernels, which the launching thread runs itself.
 *
 * To wake a worker takes microseconds, in which the thread that launches does nothing else.  A grid
 * of few threads, of a kernel that is known to end soon (CDP_KERNEL_BRIEF), is done sooner.  So
 * where all workers sleep, the host thread that lends itself to executor 0 when it waits lends
 * itself in the launch, for this one grid: it takes nothing else, wakes nobody, and never waits.
 * If launches follow each other, they get a worker after about the time in which it wakes. */
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
