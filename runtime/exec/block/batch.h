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
/* How many blocks the next call of the block entry may run. block is the first of them.  The others
 * count as started and ended. */
uint32_t cdp_grid_take_part(struct cdp_executor *executor, const struct cdp_block *block);
/* The block entry ran only the first ran blocks of the part, or none: the first block stays with
 * the caller, and the others that did not run go back to the batch. */
void cdp_grid_return_part(struct cdp_executor *executor, const struct cdp_block *block,
                          uint32_t ran);

#endif
