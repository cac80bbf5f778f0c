/* Plain grids, from their start to their completion, without an iteration of the loop. */
#include "exec/block/plain.h"

#include "exec/block/batch.h"
#include "exec/block/begin.h"
#include "exec/block/completion.h"
#include "exec/block/start.h"
#include "exec/block/threads.h"
#include "exec/report/fault.h"
#include "exec/state/valid.h"

/* Does the work of cdp_grid_run and cdp_block_start for a plain grid: it has no statistics, and its
 * threads have the natural order.  NULL without memory for a block. */
static inline struct cdp_block *start(struct cdp_executor *executor, struct cdp_grid *grid,
                                      uint32_t index)
{
    struct cdp_block *block = cdp_block_take(executor);
    if (CDP_UNLIKELY(block == NULL)) {
        return NULL;
    }
    uint32_t threads = grid->shape.block_dim[0];
    cdp_block_begin(block, grid, threads);
    cdp_block_begin_bare(block);
    block->view.block_idx[0] = index;
    block->view.block_idx[1] = block->view.block_idx[2] = 0;
    block->order.stride = 0;
    block->threads.direct_from = threads;
    executor->blocks.resident++;
    executor->current = block;
    CDP_CHECK_VALID(cdp_block_is_valid(block));
    return block;
}

/* cdp_block_run_threads for a block of one thread that has not started. */
static inline void run_only_thread(struct cdp_block *block, struct cdp_fiber *self,
                                   const struct cdp_grid *grid)
{
    struct cdp_abi_thread *thread = &self->thread;
    block->threads.next = 1;
    thread->block = &block->view;
    thread->linear = 0;
    thread->thread_idx[0] = thread->thread_idx[1] = thread->thread_idx[2] = 0;
    self->busy = true;
    cdp_block_call(block, self, grid->kernel->thread_entry, grid + 1);
    self->busy = false;
}

/* Whether all threads have ended, and there is no memory that cdp_block_settle must free. */
static inline bool has_ended(const struct cdp_block *block)
{
    return block->threads.alive == 0 && block->children.buffers == NULL && block->named == NULL;
}

/* Counts the grid in its launching block, as child_done() in completion.c does.  Returns the block
 * if it has no other incomplete children. */
static inline struct cdp_block *leave_parent(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_block *parent = grid->parent;
    cdp_scope_child_left(executor, parent, grid);
    cdp_grid_give(executor, grid);
    return --parent->children.count == 0 ? parent : NULL;
}

/* Whether no thread waits for the child.  Its epoch is open, so no thread waits for it without its
 * successors.  And it is not the last child, or all threads have ended. */
static inline bool nobody_waits(const struct cdp_block *parent, uint16_t epoch)
{
    return epoch == parent->children.epochs.open &&
           (parent->children.count > 1 || parent->flags.threads_done);
}

/* cdp_grid_block_ended, except for the first of two blocks.  This block is counted later, by
 * cdp_plain_run, as long as the second block is not known to run on another worker.  Usually the
 * second block runs next on this worker. */
static inline bool block_ended(struct cdp_executor *executor, struct cdp_grid *grid)
{
    /* Relaxed: it only decides where the block is counted. */
    if (grid->shape.block_count == 2 &&
        atomic_load_explicit(&grid->blocks_left, memory_order_relaxed) == 2) {
        executor->owed = grid;
        return false;
    }
    return grid->shape.block_count == 1 || cdp_grid_block_ended(executor, grid);
}

/* The block's threads have ended and its children are complete.  Does the work of finish() in
 * completion.c and of cdp_grid_complete.  Moves up the launch tree as long as its grids are plain
 * and belong to this worker. */
static void complete(struct cdp_executor *executor, struct cdp_block *block)
{
    do {
        struct cdp_grid *grid = block->grid;
        CDP_CHECK_VALID(cdp_block_is_valid(block));
        if (CDP_UNLIKELY(block->flags.asserted)) {
            cdp_fault_asserted(block);
        }
        cdp_block_give(executor, block);
        executor->blocks.resident--;
        if (!block_ended(executor, grid)) {
            return;
        }
        if (CDP_UNLIKELY(!grid->plain || grid->tails.first != NULL || grid->objects != NULL ||
                         grid->home != executor || !nobody_waits(grid->parent, grid->epoch))) {
            cdp_grid_complete(executor, grid);
            return;
        }
        CDP_CHECK_VALID(cdp_grid_is_valid(grid));
        if (grid->order == CDP_ORDER_BLOCK) {
            struct cdp_grid *next = cdp_grid_next(executor, grid);
            if (next != NULL) {
                cdp_grid_start(executor, next);
            }
        }
        block = leave_parent(executor, grid);
    } while (block != NULL);
}

/* Whether the loop would pop from its deque next, and would not end before. */
static inline bool may_pop(const struct cdp_executor *executor)
{
    return executor->batch.left.task == NULL && executor->overflow.count == 0 &&
           (executor->worker.has_thread || executor->blocks.resident != 0);
}

/* Blocks first to last - 1 of a plain grid. */
struct range {
    struct cdp_grid *grid;
    uint32_t first, last;
};

/* The second of two blocks was popped from the deque, so no other worker has it. */
static inline void take_both(struct cdp_executor *executor, struct cdp_grid *grid)
{
    /* Relaxed: no other worker accesses it any more. */
    uint32_t left = atomic_load_explicit(&grid->blocks_left, memory_order_relaxed);
    if (executor->owed == grid) {
        executor->owed = NULL;
        left--;
    }
    atomic_store_explicit(&grid->blocks_left, left | CDP_BOTH_HERE, memory_order_relaxed);
}

/* Takes the kept grid, which a block of this worker launched, or pops from the deque. */
static inline bool pop(struct cdp_executor *executor, struct cdp_offer *out)
{
    struct cdp_worker *worker = &executor->worker;
    struct cdp_task *kept = cdp_deque_take_kept(&worker->deque);
    if (kept != NULL) {
        *out = cdp_offer_whole(kept);
        return true;
    }
    return may_pop(executor) && cdp_deque_pop(&worker->deque, worker->pool->count == 1, out);
}

/* Pops plain blocks.  False: there were none, or the loop has other work, which was started. */
static inline bool pop_range(struct cdp_executor *executor, struct range *out)
{
    struct cdp_offer offer;
    if (!pop(executor, &offer)) {
        return false;
    }
    struct cdp_grid *grid = cdp_grid_of_task(offer.task);
    if (CDP_UNLIKELY(offer.task->run != cdp_grid_run || !grid->plain)) {
        cdp_offer_run(&executor->worker, offer);
        return false;
    }
    if (offer.first == 1 && grid->shape.block_count == 2) {
        take_both(executor, grid);
    }
    out->grid = grid;
    out->first = offer.first;
    out->last = cdp_grid_end(grid, offer.last);
    return true;
}

/* Finds the blocks that the loop would run next.  False: they may not run now, or are not plain. */
static inline bool find_next(struct cdp_executor *executor, struct range *out)
{
    struct cdp_grid *grid = executor->direct;
    if (!cdp_plain_may_run(executor)) {
        return false;
    }
    if (grid == NULL) {
        return pop_range(executor, out);
    }
    if (!grid->plain) {
        return false;
    }
    executor->direct = NULL;
    *out = (struct range){.grid = grid, .first = 0, .last = grid->shape.block_count};
    return true;
}

/* Counts the first of two blocks, because the second one runs on another worker or later. */
static CDP_NOINLINE void settle(struct cdp_executor *executor)
{
    struct cdp_grid *grid = executor->owed;
    executor->owed = NULL;
    if (cdp_grid_block_ended(executor, grid)) {
        cdp_grid_complete(executor, grid);
    }
}

/* Runs the first block of a range on self, and offers the others.  False: the loop must
 * continue. */
static inline bool run_first(struct cdp_executor *executor, struct range range,
                             struct cdp_fiber *self)
{
    struct cdp_grid *grid = range.grid;
    if (range.last - range.first > 1) {
        cdp_grid_keep_first(executor, cdp_grid_blocks(grid, range.first, range.last));
    }
    struct cdp_block *block = start(executor, grid, range.first);
    if (CDP_UNLIKELY(block == NULL)) {
        cdp_block_start(executor, grid, range.first); /* tries again, and reports the error */
        return false;
    }
    if (block->view.thread_count == 1 && grid->kernel->thread_entry != NULL) {
        run_only_thread(block, self, grid);
    } else if (!cdp_block_run_threads(block, self)) {
        return false;
    }
    /* A thread may have waited meanwhile, so other code may have run.  But a thread continues only
     * while its block is the current one. */
    if (CDP_UNLIKELY(!has_ended(block))) {
        return false;
    }
    executor->current = NULL;
    block->flags.threads_done = true;
    if (block->children.count == 0) {
        complete(executor, block);
    }
    return true;
}

void cdp_plain_run(struct cdp_executor *executor, struct cdp_fiber *self)
{
    struct range range;
    bool goes_on = true;
    while (goes_on && find_next(executor, &range)) {
        if (CDP_UNLIKELY(executor->owed != NULL)) {
            settle(executor);
        }
        goes_on = run_first(executor, range, self);
    }
    if (executor->owed != NULL) {
        settle(executor);
    }
}
