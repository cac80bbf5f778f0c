/* Plain grids: from their start to their completion, without a turn of the loop. */
#include "exec/plain.h"

#include "exec/begin.h"
#include "exec/block.h"
#include "exec/fault.h"

/* cdp_grid_run and cdp_block_start.  The stats of a plain grid are not counted, the order
 * of its threads is the natural one; NULL without memory for a block. */
static inline struct cdp_block *start(struct cdp_executor *executor, struct cdp_grid *grid,
                                      uint32_t index)
{
    struct cdp_block *block = cdp_block_take(executor);
    if (CDP_UNLIKELY(block == NULL)) {
        return NULL;
    }
    uint32_t threads = grid->block_dim[0];
    cdp_block_begin(block, grid, threads);
    cdp_block_begin_bare(block);
    block->view.block_idx[0] = index;
    block->view.block_idx[1] = block->view.block_idx[2] = 0;
    block->order_stride = 0;
    block->direct_from = threads;
    executor->resident++;
    executor->current = block;
    return block;
}

/* cdp_block_run_threads, for a block of one thread that has just started. */
static inline void run_only_thread(struct cdp_block *block, struct cdp_fiber *self,
                                   const struct cdp_grid *grid)
{
    struct cdp_abi_thread *thread = &self->thread;
    block->next_thread = 1;
    thread->block = &block->view;
    thread->linear = 0;
    thread->thread_idx[0] = thread->thread_idx[1] = thread->thread_idx[2] = 0;
    self->busy = true;
    cdp_block_call(block, self, grid->kernel->thread_entry, grid + 1);
    self->busy = false;
}

/* All threads have ended, and left nothing for cdp_block_settle to give back. */
static inline bool has_ended(const struct cdp_block *block)
{
    return block->alive == 0 && block->buffers == NULL && block->numbered == NULL;
}

/* Tells the block that launched the grid, as cdp_block_child_done does.  Returns it if all
 * it had to do is done by this. */
static inline struct cdp_block *tell_parent(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_block *parent = grid->parent;
    if (parent->null_tail == grid) {
        parent->null_tail = NULL;
    }
    cdp_grid_give(executor, grid);
    return --parent->children == 0 ? parent : NULL;
}

/* Whether nobody waits for the child: its epoch is open, so no thread asked for it alone,
 * and the last child finds all threads ended. */
static inline bool nobody_waits(const struct cdp_block *parent, uint16_t epoch)
{
    return epoch == parent->epochs.open && (parent->children > 1 || parent->threads_done);
}

/* The block's threads have ended and its children are complete.  What finish, in block.c,
 * and cdp_grid_complete do, up the tree for as long as it is plain and all on this worker. */
static void complete(struct cdp_executor *executor, struct cdp_block *block)
{
    do {
        struct cdp_grid *grid = block->grid;
        if (CDP_UNLIKELY(block->asserted)) {
            cdp_fault_asserted(block);
        }
        cdp_block_give(executor, block);
        executor->resident--;
        if (grid->block_count != 1 && !cdp_grid_block_ended(executor, grid)) {
            return;
        }
        if (CDP_UNLIKELY(!grid->plain || grid->tails != NULL || grid->scope != NULL ||
                         grid->home != executor || !nobody_waits(grid->parent, grid->epoch))) {
            cdp_grid_complete(executor, grid);
            return;
        }
        if (grid->order == CDP_ORDER_BLOCK) {
            struct cdp_grid *next = cdp_grid_next(executor, grid);
            if (next != NULL) {
                cdp_grid_start(executor, next);
            }
        }
        block = tell_parent(executor, grid);
    } while (block != NULL);
}

/* Whether the loop would look into its deque next, and not leave before. */
static inline bool may_pop(const struct cdp_executor *executor)
{
    return executor->batch.left.task == NULL && executor->overflow_count == 0 &&
           (executor->worker.has_thread || executor->resident != 0);
}

/* Blocks first to last - 1 of a plain grid. */
struct range {
    struct cdp_grid *grid;
    uint32_t first, last;
};

/* From the deque; grid == NULL: nothing plain, and the loop has something else to go on with. */
static inline struct range pop(struct cdp_executor *executor)
{
    struct cdp_offer offer;
    if (!may_pop(executor) || !cdp_worker_pop(&executor->worker, &offer)) {
        return (struct range){.grid = NULL};
    }
    struct cdp_grid *grid = cdp_grid_of_task(offer.task);
    if (CDP_LIKELY(offer.task->run == cdp_grid_run && grid->plain)) {
        uint32_t last = offer.last != 0 ? offer.last : grid->block_count;
        return (struct range){.grid = grid, .first = offer.first, .last = last};
    }
    offer.task->run(&executor->worker, offer.task, offer.first, offer.last);
    return (struct range){.grid = NULL};
}

/* What the loop would run next, if it may run and is plain; else grid is NULL. */
static inline struct range take_next(struct cdp_executor *executor)
{
    struct cdp_grid *grid = executor->direct;
    if (!cdp_plain_may_run(executor)) {
        return (struct range){.grid = NULL};
    }
    if (grid == NULL) {
        return pop(executor);
    }
    if (!grid->plain) {
        return (struct range){.grid = NULL};
    }
    executor->direct = NULL;
    return (struct range){.grid = grid, .first = 0, .last = grid->block_count};
}

/* Runs the first block of a range on self, and offers the others.  False: the loop must look. */
static inline bool run_first(struct cdp_executor *executor, struct range range,
                             struct cdp_fiber *self)
{
    struct cdp_grid *grid = range.grid;
    if (range.last - range.first > 1) {
        cdp_grid_keep_first(
            executor,
            (struct cdp_offer){.task = &grid->task, .first = range.first, .last = range.last});
    }
    struct cdp_block *block = start(executor, grid, range.first);
    if (CDP_UNLIKELY(block == NULL)) {
        cdp_block_start(executor, grid, range.first); /* tries again, and says so if it must */
        return false;
    }
    if (block->view.thread_count == 1 && grid->kernel->thread_entry != NULL) {
        run_only_thread(block, self, grid);
    } else if (!cdp_block_run_threads(block, self)) {
        return false;
    }
    /* A thread may have waited meanwhile, and anything may have happened.  But it goes
     * on only while its block is the current one. */
    if (CDP_UNLIKELY(!has_ended(block))) {
        return false;
    }
    executor->current = NULL;
    block->threads_done = true;
    if (block->children == 0) {
        complete(executor, block);
    }
    return true;
}

void cdp_plain_run(struct cdp_executor *executor, struct cdp_fiber *self)
{
    struct range range;
    do {
        range = take_next(executor);
    } while (range.grid != NULL && run_first(executor, range, self));
}
