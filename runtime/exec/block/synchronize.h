/* A thread waits for the grids that its block has launched. */
#ifndef CDP_EXEC_BLOCK_SYNCHRONIZE_H
#define CDP_EXEC_BLOCK_SYNCHRONIZE_H

#include "base/attr.h"
#include "base/status.h"
#include "exec/state/block.h"

/* Suspends the calling thread until all grids that its block has launched so far are complete.
 * CDP_SYNC_DEPTH_EXCEEDED if the grid's nesting depth is not below the engine's limit. */
enum cdp_status cdp_block_synchronize(struct cdp_block *block) CDP_MUST_CHECK;

#endif
