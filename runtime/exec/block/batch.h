/* Batches of a grid's blocks, and the task that runs a grid. */
#ifndef CDP_EXEC_BLOCK_BATCH_H
#define CDP_EXEC_BLOCK_BATCH_H

#include <stdint.h>

#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "sched/task.h"

/* Task function of a launch record: runs blocks first to last - 1 (last == 0: all). */
void cdp_grid_run(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last);

/* Starts the next block of the batch begun last, of which some are left. */
void cdp_grid_run_batch(struct cdp_executor *executor);
/* How many blocks the block entry shall run that is called for this one, which is among them:
 * the others count as started and ended. */
uint32_t cdp_grid_take_part(struct cdp_executor *executor, const struct cdp_block *block);
/* The entry has done nothing: the others of a part of more than one are to be started. */
void cdp_grid_return_part(struct cdp_executor *executor, const struct cdp_block *block);

#endif
