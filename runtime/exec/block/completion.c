/* The end of threads, blocks and grids.
 *
 * A block ends when its threads have ended and the grids that it launched are complete.  A grid
 * ends when its blocks have ended.  Each end may be the last one that the parent waits for.  So
 * completion moves up the launch tree, in a loop (cdp_grid_complete) and not by recursion. */
#include "exec/block/completion.h"

#include "exec/block/block.h"
#include "exec/block/begin.h"
#include "exec/block/cluster.h"
#include "exec/block/divergent.h"
#include "exec/block/executor.h"
#include "exec/block/named_barrier.h"
#include "exec/block/warp.h"
#include "exec/launch/chain.h"
#include "exec/launch/grid.h"
#include "exec/launch/pace.h"
#include "exec/launch/record.h"
#include "exec/launch/scope.h"
#include "exec/report/count.h"
#include "exec/report/deadlock.h"
#include "exec/report/fault.h"
#include "exec/report/steps.h"
#include "exec/report/profile.h"
#include "exec/report/races.h"
#include "exec/report/unwritten.h"
#include "exec/state/engine.h"
#include "exec/state/valid.h"
#include "fiber/sanitizer.h"
#include "os/os.h"
#include "races/history.h"

/* One of the grid's two blocks ended.  True if it was the last. */
static bool half_ended(struct cdp_grid *grid)
{
    /* Acquire pairs with the release in cdp_grid_count_off: the effects of the other block. */
    uint32_t left = atomic_load_explicit(&grid->blocks_left, memory_order_acquire);
    if ((left & ~CDP_BOTH_HERE) == 1) {
        return true;
    }
    if ((left & CDP_BOTH_HERE) == 0) {
        return cdp_grid_count_off(grid, 1);
    }
    /* No other worker reads it. */
    atomic_store_explicit(&grid->blocks_left, left - 1, memory_order_relaxed);
    return false;
}

bool cdp_grid_block_ended(struct cdp_executor *executor, struct cdp_grid *grid)
{
    if (CDP_UNLIKELY(cdp_grid_is_profiled(grid))) {
        cdp_profile_blocks_ended(1);
    }
    if (grid->shape.block_count <= 2) {
        return grid->shape.block_count == 1 || half_ended(grid);
    }
    struct cdp_batch_of_blocks *batch = &executor->batch;
    if (batch->left.task == &grid->task) {
        batch->ended_grid = grid;
        batch->ended++;
        return false;
    }
    uint32_t blocks = 1;
    if (batch->ended != 0 && batch->ended_grid == grid) {
        blocks += batch->ended;
        batch->ended = 0;
    }
    return cdp_grid_count_off(grid, blocks);
}

/* Frees the memory that only running threads need. */
static void release_threads(struct cdp_block *block)
{
    struct cdp_executor *executor = block->executor;
    if (block->slab.size != 0) {
        if (CDP_LIKELY(!cdp_grid_has_clusters(block->grid))) {
            if (CDP_ASAN) {
                cdp_sanitizer_unpoison(block->view.shared,
                                       block->slab.size + cdp_slab_slack(block->slab.size));
            }
            cdp_slab_give(&executor->slabs, block->view.shared, block->slab.size);
        } else if (CDP_ASAN) {
            cdp_sanitizer_poison(block->view.shared, block->slab.size);
        }
        block->slab.size = 0;
    }
    if (block->warps != NULL) {
        cdp_warps_destroy(block);
    }
    if (CDP_UNLIKELY(block->named != NULL)) {
        cdp_named_barriers_destroy(block);
    }
    if (cdp_steps_has(block)) {
        cdp_steps_block_ends();
    }
    if (CDP_UNLIKELY(block->places != NULL)) {
        cdp_divergent_destroy(block);
    }
    if (CDP_UNLIKELY(block->threads.counts != NULL)) {
        cdp_count_block_ends(block);
    }
    if (CDP_UNLIKELY(block->races != NULL)) {
        if (block->races->unwritten != NULL) {
            cdp_unwritten_tell(block);
        }
        cdp_races_block_ends(block);
    }
    if (CDP_UNLIKELY(block->slab.cluster != NULL || cdp_grid_has_clusters(block->grid))) {
        cdp_cluster_leave(block);
    }
    while (block->children.buffers != NULL) {
        struct cdp_grid *buffer = block->children.buffers;
        block->children.buffers = cdp_grid_linked(buffer);
        cdp_grid_give(executor, buffer);
    }
}

/* Returns the grid if this was its last block. */
static struct cdp_grid *finish(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_grid *grid = block->grid;
    CDP_CHECK_VALID(cdp_block_is_valid(block));
    if (CDP_UNLIKELY(block->flags.asserted)) {
        cdp_fault_asserted(block);
    }
    cdp_block_give(executor, block);
    executor->blocks.resident--;
    return cdp_grid_block_ended(executor, grid) ? grid : NULL;
}

/* Releases the threads that wait for epochs that are over.  True if there were any. */
static bool release_waiting(struct cdp_block *block)
{
    bool any = false;
    for (struct cdp_fiber *fiber = block->children.waiting.head;
         fiber != NULL && cdp_epochs_over(&block->children.epochs, fiber->epoch);
         fiber = block->children.waiting.head) {
        cdp_fiber_push(&block->ready, cdp_fiber_pop(&block->children.waiting));
        any = true;
    }
    return any;
}

static struct cdp_grid *child_done(struct cdp_executor *executor, struct cdp_grid *child)
{
    struct cdp_block *block = child->parent;
    uint16_t epoch = child->epoch;
    cdp_scope_child_left(executor, block, child);
    cdp_grid_give(executor, child);
    bool released = cdp_epochs_child_done(&block->children.epochs, epoch) && release_waiting(block);
    if (--block->children.count != 0) {
        if (released && block->flags.is_suspended) {
            cdp_executor_resume(executor, block);
        }
        return NULL;
    }
    cdp_fiber_append(&block->ready, &block->children.waiting);
    if (block->flags.is_suspended) {
        cdp_executor_resume(executor, block);
    }
    return block->flags.threads_done ? finish(executor, block) : NULL;
}

/* Removes the oldest tail launch; NULL if there is none.  All blocks of the grid have ended, so no
 * more tails are appended. */
static struct cdp_grid *take_tail(struct cdp_grid *grid)
{
    struct cdp_grid *tail = grid->tails.first;
    if (tail != NULL) {
        grid->tails.first = cdp_grid_linked(tail);
    }
    return tail;
}

/* The grid is a tail and has tails.  They become the next tails of the grid's owner, which
 * completes after them in any case.  So this grid is complete, and a long chain of tails takes no
 * more memory than a short one. */
static void hand_on_tails(struct cdp_grid *grid)
{
    struct cdp_grid *owner = grid->owner;
    for (struct cdp_grid *tail = grid->tails.first; tail != NULL; tail = cdp_grid_linked(tail)) {
        tail->owner = owner;
    }
    cdp_grid_link(grid->tails.last, owner->tails.first);
    if (owner->tails.first == NULL) {
        owner->tails.last = grid->tails.last;
    }
    owner->tails.first = grid->tails.first;
    grid->tails.first = NULL;
}

/* Starts the successor in the grid's stream, if there is one. */
static void pass_on(struct cdp_executor *executor, struct cdp_grid *grid)
{
    if (grid->order == CDP_ORDER_BLOCK) {
        struct cdp_grid *next = cdp_grid_next(executor, grid);
        if (next != NULL) {
            cdp_grid_start(executor, next);
        }
    } else if (grid->order == CDP_ORDER_NAMED) {
        cdp_device_stream_completed(executor, grid);
    }
}

/* Counts records that other workers' blocks have used.  For these, the count of this worker's free
 * blocks does not show that it has too many records. */
static void count_given_back(struct cdp_executor *executor)
{
    if (CDP_UNLIKELY(++executor->records.given_back == CDP_SPARE_KEPT)) {
        executor->records.given_back = 0;
        cdp_grids_spare(executor);
    }
}

static void child_at_home(struct cdp_worker *worker, struct cdp_task *task, uint32_t first,
                          uint32_t last)
{
    (void)first, (void)last;
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    struct cdp_grid *grid = child_done(executor, cdp_grid_of_task(task));
    count_given_back(executor);
    if (grid != NULL) {
        cdp_grid_complete(executor, grid);
    }
}

/* Counts the child in its launching block.  Returns the grid that became complete, or NULL. */
static struct cdp_grid *complete_child(struct cdp_executor *executor, struct cdp_grid *grid)
{
    pass_on(executor, grid);
    if (grid->home == executor) {
        return child_done(executor, grid);
    }
    grid->task.run = child_at_home;
    cdp_worker_post(&grid->home->worker, &grid->task);
    return NULL;
}

void cdp_grid_complete(struct cdp_executor *executor, struct cdp_grid *grid)
{
    while (grid != NULL) {
        CDP_CHECK_VALID(cdp_grid_is_valid(grid));
        if (CDP_UNLIKELY(grid->kind == CDP_GRID_TAIL && grid->tails.first != NULL)) {
            hand_on_tails(grid);
        }
        struct cdp_grid *tail = take_tail(grid);
        if (tail != NULL) {
            cdp_grid_link(tail, NULL);
            cdp_grid_start(executor, tail);
            return;
        }
        if (CDP_UNLIKELY(grid->objects != NULL)) {
            cdp_scope_close(executor, &grid->objects);
        }
        if (CDP_UNLIKELY(cdp_grid_is_profiled(grid))) {
            cdp_profile_ended(grid);
        }
        if (CDP_UNLIKELY(cdp_grid_is_counted(grid))) {
            atomic_fetch_sub(&executor->engine->launch_memory.pending, 1);
        }
        if (grid->kind == CDP_GRID_CHILD) {
            grid = complete_child(executor, grid);
        } else if (grid->kind == CDP_GRID_TAIL) {
            struct cdp_grid *owner = grid->owner;
            cdp_grid_give(executor, grid);
            count_given_back(executor);
            grid = owner;
        } else {
            if (grid->began != 0) {
                cdp_pace_end(executor->engine->paces, grid, cdp_os_ticks());
            }
            cdp_chain_step(executor, grid);
            return;
        }
    }
}

/* All threads of the block wait, and no event can release them. */
static bool is_stuck(const struct cdp_block *block)
{
    return block->children.count == 0;
}

void cdp_block_settle(struct cdp_executor *executor, struct cdp_block *block)
{
    if (block->threads.alive != 0) {
        if (block->converge.head != NULL) {
            cdp_warp_release_converged(block);
            return;
        }
        if (CDP_UNLIKELY(block->slab.cluster != NULL) && cdp_cluster_settle(block)) {
            return;
        }
        if (CDP_UNLIKELY(is_stuck(block))) {
            cdp_deadlock_report(block);
            cdp_block_kill(block);
            return;
        }
        cdp_executor_put_aside(executor, block);
        return;
    }
    executor->current = NULL;
    block->flags.threads_done = true;
    release_threads(block);
    if (block->children.count == 0) {
        struct cdp_grid *grid = finish(executor, block);
        if (grid != NULL) {
            cdp_grid_complete(executor, grid);
        }
    }
}
