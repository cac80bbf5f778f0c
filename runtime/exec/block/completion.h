/* The end of threads, blocks and grids. */
#ifndef CDP_EXEC_BLOCK_COMPLETION_H
#define CDP_EXEC_BLOCK_COMPLETION_H

#include <stdbool.h>

#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* A block of grid ended: true if it was the last. */
bool cdp_grid_block_ended(struct cdp_executor *executor, struct cdp_grid *grid);
/* All blocks have ended: runs the tail launches, informs the parent block or the host's stream,
 * and goes on with the grids that become complete by this. */
void cdp_grid_complete(struct cdp_executor *executor, struct cdp_grid *grid);

/* The current block can do nothing more for now: it ended, waits, or is stuck.
 * Leaves no current block unless it found something to do after all. */
void cdp_block_settle(struct cdp_executor *executor, struct cdp_block *block);

#endif
