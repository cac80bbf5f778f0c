/* Batches of a grid's blocks, and the task that runs a grid. */
#ifndef CDP_EXEC_BLOCK_BATCH_H
#define CDP_EXEC_BLOCK_BATCH_H

#include <stdint.h>

#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "sched/task.h"

/* Task function of a launch record: runs blocks first to last - 1 (last == 0: all). */
void cdp_grid_run(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last);

/* Starts the next block of the executor's batch, which is not empty. */
void cdp_grid_run_batch(struct cdp_executor *executor);
/* How many blocks the next call of the block entry runs. block is the first of them.  The others
 * count as started and ended. */
uint32_t cdp_grid_take_part(struct cdp_executor *executor, const struct cdp_block *block);
/* The block entry did not run any block: the other blocks of the part go back to the batch.  The
 * part has more than one block. */
void cdp_grid_return_part(struct cdp_executor *executor, const struct cdp_block *block);

#endif
