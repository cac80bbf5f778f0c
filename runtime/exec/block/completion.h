/* The end of threads, blocks and grids. */
#ifndef CDP_EXEC_BLOCK_COMPLETION_H
#define CDP_EXEC_BLOCK_COMPLETION_H

#include <stdbool.h>

#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* A block of grid ended: true if it was the last. */
bool cdp_grid_block_ended(struct cdp_executor *executor, struct cdp_grid *grid);
/* All blocks of the grid have ended: runs its tail launches, then counts the grid as complete in
 * the parent block or the host's chain.  Continues with the grids that this completes. */
void cdp_grid_complete(struct cdp_executor *executor, struct cdp_grid *grid);

/* No thread of the current block can run: the block has ended, waits, or has a deadlock.
 * Afterwards there is no current block, unless some thread of it was released. */
void cdp_block_settle(struct cdp_executor *executor, struct cdp_block *block);

#endif
