/* Whether one worker had better run all blocks of a grid: learned from the host's launches.
 *
 * A small grid that takes a microsecond on one worker can take ten on sixteen workers: its data
 * moves from cache to cache, and the workers meet at its counters.  The times of single blocks do
 * not show this, as sharing makes each of them slower.  So whole grids are timed, by kernel and
 * number of blocks.  Most are shared; now and then one worker runs a grid alone, as a trial.  The
 * way that takes less time is kept until the next trial.  The trials get rarer, until the better
 * way is no longer the better one. */
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

/* Times are those of cdp_os_ticks, in ticks. */

/* By the worker that begins the grid: how long it keeps all to itself, but for what blocks that
 * launch leave to others; 0: it shares it as ever. */
uint64_t cdp_pace_begin(struct cdp_pace paces[CDP_PACES], struct cdp_grid *grid, uint64_t now);
/* By any: a grid that began so is complete. */
void cdp_pace_end(struct cdp_pace paces[CDP_PACES], const struct cdp_grid *grid, uint64_t now);

#endif
