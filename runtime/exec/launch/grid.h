/* Grids that are ready to run: which worker gets them, and the order of a block's NULL stream. */
#ifndef CDP_EXEC_LAUNCH_GRID_H
#define CDP_EXEC_LAUNCH_GRID_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "exec/state/valid.h"
#include "sched/worker.h"

/* Puts a grid where all workers look for work. */
void cdp_grid_push(struct cdp_executor *executor, struct cdp_grid *grid);
/* Offers some blocks of a grid.  Another block of the grid will still run on this worker. */
void cdp_grid_offer_range(struct cdp_executor *executor, struct cdp_offer range);

/* Offers a few blocks, except the first one, which the caller then runs. */
void cdp_grid_keep_first(struct cdp_executor *executor, struct cdp_offer range);

/* Offers the rest of the executor's batch to all workers, because newer work runs first. */
void cdp_grid_leave_batch(struct cdp_executor *executor);

/* Subtracts blocks from the grid's count.  True if they were the last ones. */
static inline bool cdp_grid_count_off(struct cdp_grid *grid, uint32_t blocks)
{
    /* Release: the effects of these blocks.  Acquire, for the last block: the effects of all
     * blocks. */
    return atomic_fetch_sub_explicit(&grid->blocks_left, blocks, memory_order_acq_rel) == blocks;
}

/* ---- A stream of one block: its NULL stream, or a private one ----
 *
 * The block's owner appends a grid to the last one.  The worker that completes the last one starts
 * its successor.  Both exchange the last grid's next.  The second of the two sees the value of the
 * first, and starts the successor.  No exchange is needed if no other worker can access the stream.
 * This holds in three cases: there is only one worker; the owner completes the grid itself; or the
 * owner has kept the first grid of the stream and taken it back. */

/* Appends grid to last if the first grid of their stream is still kept by this worker.  Then no
 * worker has begun it, and the grids after it can only be reached through it. */
static inline bool cdp_grid_follow_kept(struct cdp_executor *executor, struct cdp_grid *last,
                                        struct cdp_grid *grid)
{
    struct cdp_deque *deque = &executor->worker.deque;
    /* If another worker has taken the kept task, its record returns through the mailbox.  Until
     * then the record belongs to this grid. */
    struct cdp_task *kept = atomic_load_explicit(&deque->kept.task, memory_order_relaxed);
    const struct cdp_grid *first = kept != NULL ? cdp_grid_of_task(kept) : NULL;
    if (first == NULL || first->order != CDP_ORDER_BLOCK || first->parent != last->parent ||
        first->stream != last->stream || cdp_deque_take_kept(deque) == NULL) {
        return false;
    }
    atomic_store_explicit(&last->next, grid,
                          memory_order_relaxed); /* cdp_deque_put_kept releases */
    cdp_deque_put_kept(deque, kept);
    return true;
}

/* False: last is complete already, so grid can start. */
static inline bool cdp_grid_follow(struct cdp_executor *executor, struct cdp_grid *last,
                                   struct cdp_grid *grid)
{
    if (executor->alone) {
        bool done = atomic_load_explicit(&last->next, memory_order_relaxed) == CDP_GRID_DONE;
        if (!done) {
            atomic_store_explicit(&last->next, grid, memory_order_relaxed);
        }
        return !done;
    }
    if (cdp_grid_follow_kept(executor, last, grid)) {
        return true;
    }
    /* A stream's grids run one by one.  It is faster if they stay on this worker while it launches
     * more. */
    cdp_deque_show_life(&executor->worker.deque);
    return atomic_exchange_explicit(&last->next, grid, memory_order_acq_rel) != CDP_GRID_DONE;
}

/* The grid is complete.  Returns its successor, which can start now, or NULL if it has none yet. */
static inline struct cdp_grid *cdp_grid_next(const struct cdp_executor *executor,
                                             struct cdp_grid *grid)
{
    /* A successor does not change once it is set.  The owner's exchange was first.  Acquire pairs
     * with it. */
    struct cdp_grid *next = atomic_load_explicit(&grid->next, memory_order_acquire);
    if (next != NULL) {
        return next;
    }
    if (grid->home == executor) { /* or alone */
        atomic_store_explicit(&grid->next, CDP_GRID_DONE, memory_order_relaxed);
        return NULL;
    }
    return atomic_exchange_explicit(&grid->next, CDP_GRID_DONE, memory_order_acq_rel);
}

/* Starts a grid that is ready to run.  It runs next on this worker, unless another grid does.  Then
 * it is offered to all workers. */
static inline void cdp_grid_start(struct cdp_executor *executor, struct cdp_grid *grid)
{
    if (executor->direct == NULL) {
        executor->direct = grid;
    } else {
        cdp_grid_push(executor, grid);
    }
}

/* Grids of so few blocks have no batch, and a worker may keep them (sched/deque.h). */
enum { CDP_FEW_BLOCKS = 4 };

/* Offers a grid to all workers. */
static inline void cdp_grid_offer(struct cdp_executor *executor, struct cdp_grid *grid)
{
    CDP_CHECK_VALID(cdp_grid_is_valid(grid));
    struct cdp_offer whole = cdp_grid_blocks(grid, 0, grid->shape.block_count);
    if (executor->alone) {
        cdp_grid_start(executor, grid); /* there is no other worker */
    } else if (!executor->worker.pool->keeps || executor->batch.left.task != NULL ||
               grid->shape.block_count > CDP_FEW_BLOCKS ||
               !cdp_worker_keep(&executor->worker, whole)) {
        cdp_grid_push(executor, grid);
    }
}

#endif
