/* Plain grids: from their start to their completion, without a turn of the loop. */
#include "exec/plain.h"

#include "exec/begin.h"
#include "exec/block.h"
#include "exec/fault.h"

/* cdp_grid_run and cdp_block_start.  The stats of a plain grid are not counted, the order
 * of its threads is the natural one; NULL without memory for a block. */
static inline struct cdp_block *start(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_block *block = cdp_block_take(executor);
    if (CDP_UNLIKELY(block == NULL)) {
        return NULL;
    }
    uint32_t threads = grid->block_dim[0];
    cdp_block_begin(block, grid, threads);
    cdp_block_begin_bare(block);
    block->view.block_idx[0] = block->view.block_idx[1] = block->view.block_idx[2] = 0;
    block->order_stride = 0;
    block->order_offset = 0;
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
        if (CDP_UNLIKELY(!grid->plain || grid->tails != NULL || grid->scope != NULL ||
                         grid->home != executor || !nobody_waits(grid->parent, grid->epoch))) {
            if (cdp_grid_block_ended(executor, grid)) {
                cdp_grid_complete(executor, grid);
            }
            return;
        }
        struct cdp_grid *next = cdp_grid_next(executor, grid);
        if (next != NULL) {
            cdp_grid_start(executor, next);
        }
        block = tell_parent(executor, grid);
    } while (block != NULL);
}

void cdp_plain_run(struct cdp_executor *executor, struct cdp_fiber *self)
{
    do {
        struct cdp_grid *grid = executor->direct;
        executor->direct = NULL;
        struct cdp_block *block = start(executor, grid);
        if (CDP_UNLIKELY(block == NULL)) {
            cdp_block_start(executor, grid, 0); /* tries again, and says so if it must */
            return;
        }
        if (block->view.thread_count == 1 && grid->kernel->thread_entry != NULL) {
            run_only_thread(block, self, grid);
        } else {
            cdp_block_run_threads(block, self);
        }
        /* A thread may have waited meanwhile, and anything may have happened.  But it goes
         * on only while its block is the current one. */
        if (CDP_UNLIKELY(!has_ended(block))) {
            return;
        }
        executor->current = NULL;
        block->threads_done = true;
        if (block->children == 0) {
            complete(executor, block);
        }
    } while (executor->direct != NULL && executor->direct->plain && cdp_plain_may_run(executor));
}
