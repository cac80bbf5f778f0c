/* Which worker gets the blocks of a grid. */
#include "exec/launch/grid.h"

#include "exec/launch/record.h"
#include "exec/report/fault.h"
#include "exec/state/engine.h"
#include "exec/state/valid.h"

/* There is no memory to store part of a grid whose first block has not run.  The launch tree fails.
 * The blocks count as ended without running, like those of any failed tree. */
static void drop(struct cdp_executor *executor, struct cdp_offer range)
{
    struct cdp_grid *grid = cdp_grid_of_task(range.task);
    cdp_fault_set(executor->engine, cdp_grid_device(grid), CDP_NO_MEMORY,
                  "no memory to queue the blocks of kernel %s", grid->kernel->name);
    /* Relaxed: the grid's first block is counted later, and that releases. */
    atomic_fetch_sub_explicit(&grid->blocks_left, range.last - range.first, memory_order_relaxed);
}

/* If the deque has no memory to grow, the range is stored for this worker only. */
void cdp_grid_offer_range(struct cdp_executor *executor, struct cdp_offer range)
{
    if (CDP_LIKELY(cdp_worker_push(&executor->worker, range))) {
        return;
    }
    if (executor->overflow.count < CDP_OVERFLOW) {
        executor->overflow.offers[executor->overflow.count++] = range;
    } else {
        drop(executor, range);
    }
}

/* Subtracts the blocks that the batch has counted from blocks_left.  They are never the last ones
 * of their grid. */
static void settle_batch(struct cdp_batch_of_blocks *batch)
{
    if (batch->ended != 0) {
        (void)cdp_grid_count_off(batch->ended_grid, batch->ended);
        batch->ended = 0;
    }
}

/* The newer work runs before the rest of the batch. */
void cdp_grid_leave_batch(struct cdp_executor *executor)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    settle_batch(batch);
    if (batch->left.task != NULL) {
        struct cdp_offer left = batch->left;
        batch->left.task = NULL;
        cdp_grid_offer_range(executor, left);
    }
}

void cdp_grid_push(struct cdp_executor *executor, struct cdp_grid *grid)
{
    CDP_CHECK_VALID(cdp_grid_is_valid(grid));
    struct cdp_offer whole = cdp_grid_blocks(grid, 0, grid->shape.block_count);
    if (CDP_UNLIKELY(executor->batch.left.task != NULL)) {
        cdp_grid_leave_batch(executor);
    }
    if (CDP_UNLIKELY(!cdp_worker_push(&executor->worker, whole))) {
        cdp_pool_inject(executor->worker.pool, &grid->task); /* needs no memory */
    }
}

void cdp_grid_keep_first(struct cdp_executor *executor, struct cdp_offer range)
{
    if (CDP_UNLIKELY(executor->batch.left.task != NULL)) {
        cdp_grid_leave_batch(executor);
    }
    for (uint32_t first = range.first; range.last - first > 1; range.last = range.first) {
        range.first = first + (range.last - first) / 2;
        cdp_grid_offer_range(executor, range);
    }
}
