/* Plain grids: a fast path for most launches by device code.
 *
 * A plain grid is a child in a stream that only its block uses, or fire and forget.  It has a few
 * blocks of one dimension, and its kernel uses no shared memory and no warp operations.  Launches
 * are not counted, and no seed sets a schedule (executor->plain).  A plain grid of the host has one
 * block.
 *
 * All this is known at the launch.  So the fields that only other grids need are neither set nor
 * tested later.  The fast path changes the same state as the general code (scope.c, batch.c,
 * threads.c, completion.c, loop.c), and calls the general code for all unusual cases.  A grid can
 * leave the fast path at each step. */
#ifndef CDP_EXEC_BLOCK_PLAIN_H
#define CDP_EXEC_BLOCK_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/block/batch.h"
#include "exec/block/inside.h"
#include "exec/block/plain_launch.h"
#include "exec/launch/grid.h"
#include "exec/launch/scope.h"
#include "exec/report/space.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "exec/state/valid.h"

/* Grids with more blocks need a batch (batch.c). */
enum { CDP_PLAIN_MOST_BLOCKS = CDP_FEW_BLOCKS };

/* Launches a grid of one dimension and without dynamic shared memory.  The caller has validated the
 * launch.  False: the grid is not plain, nothing was changed, and the caller uses
 * cdp_scope_launch. */
static inline bool cdp_plain_launch(struct cdp_block *block, const struct cdp_plain_launch *launch)
{
    struct cdp_executor *executor = block->executor;
    const struct cdp_abi_kernel *kernel = launch->kernel;
    struct cdp_grid *grid = cdp_grid_of_params(launch->params);
    const struct cdp_abi_thread *self = cdp_abi_self;
    struct cdp_private_range range = {.low = self->private_low, .size = self->private_size};
    if (CDP_UNLIKELY(!executor->plain || block->children.buffers != grid ||
                     (kernel->flags & CDP_KERNEL_WARP_OPS) != 0 ||
                     (kernel->shared_extent | cdp_engine_shared_segments(executor->engine)) != 0 ||
                     cdp_space_hands_on(kernel, launch->params, range))) {
        return false;
    }
    struct cdp_device_stream *stream = launch->stream;
    struct cdp_grid **tail = stream != NULL ? &stream->tail : &block->children.null_tail;
    bool is_idle = launch->forgets || *tail == NULL;
    if (cdp_inside_may_run(executor, launch, is_idle) && cdp_inside_run(block, grid, launch)) {
        return true;
    }
    if (CDP_UNLIKELY(launch->blocks > CDP_PLAIN_MOST_BLOCKS)) {
        return false;
    }
    block->children.buffers = cdp_grid_linked(grid);
    /* All other fields of a plain grid that are read later. */
    cdp_plain_describe(grid, block, launch);
    grid->task.run = cdp_grid_run;
    grid->stream = launch->stream;
    atomic_init(&grid->next, NULL);
    atomic_init(&grid->blocks_left, launch->blocks);
    grid->order = launch->forgets ? CDP_ORDER_NONE : CDP_ORDER_BLOCK;
    grid->epoch = block->children.epochs.open;
    atomic_init(&grid->lock, 0);
    grid->plain = true;
    grid->tails.first = NULL;
    grid->objects = NULL;
    block->children.count++;
    CDP_CHECK_VALID(cdp_grid_is_valid(grid));
    if (launch->forgets) {
        cdp_grid_offer(executor, grid);
    } else {
        cdp_scope_append(block, tail, grid);
    }
    return true;
}

/* Whether the loop has no work that comes before executor->direct. */
static inline bool cdp_plain_may_run(const struct cdp_executor *executor)
{
    const struct cdp_pool *pool = executor->worker.pool;
    return cdp_mailbox_seems_empty(&executor->worker.mail) &&
           executor->blocks.resumable_head == NULL && !cdp_polls_any(&executor->blocks.polls) &&
           !cdp_engine_has_failed(executor->engine) &&
           !atomic_load_explicit(&pool->stopping, memory_order_relaxed);
}

/* Called by the loop.  Runs executor->direct on self if it may run and is plain.  Then runs the
 * grids that the loop would run next, as long as they are plain. */
void cdp_plain_run(struct cdp_executor *executor, struct cdp_fiber *self);

#endif
