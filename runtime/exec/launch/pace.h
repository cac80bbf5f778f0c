/* Whether a grid is faster if one worker runs all of its blocks.  Measured on the host's launches.
 *
 * A small grid that takes a microsecond on one worker can take ten on sixteen workers: its data
 * moves from cache to cache, and the workers contend for its counters.  The times of single blocks
 * do not show this, as sharing makes each of them slower.  So whole grids are timed, by kernel and
 * number of blocks.  Most are shared.  Sometimes one worker runs a grid alone, as a trial.  The
 * faster way is used until the next trial.  Trials get rarer as long as the same way stays
 * faster. */
#ifndef CDP_EXEC_LAUNCH_PACE_H
#define CDP_EXEC_LAUNCH_PACE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "exec/state/engine.h"

struct cdp_grid;
struct cdp_abi_kernel;

/* Times are in ticks of cdp_os_ticks. */

/* Called by the worker that begins the grid.  Returns how long it runs all blocks itself.  Blocks
 * that launch other grids are an exception: the rest of the grid is then offered. 0: the grid is
 * shared as usual. */
uint64_t cdp_pace_begin(struct cdp_pace paces[CDP_PACES], struct cdp_grid *grid, uint64_t now);
/* The time of such a grid on one worker: the least of several. 0: not known. */
uint64_t cdp_pace_alone(const struct cdp_pace paces[CDP_PACES], const struct cdp_grid *grid);
/* A grid for which cdp_pace_begin was called is complete.  Any worker may call this. */
void cdp_pace_end(struct cdp_pace paces[CDP_PACES], const struct cdp_grid *grid, uint64_t now);

#endif
