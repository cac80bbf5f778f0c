/* The common part of all starts of a block (start.c, plain.c). */
#ifndef CDP_EXEC_BLOCK_BEGIN_H
#define CDP_EXEC_BLOCK_BEGIN_H

#include "exec/block/block.h"
#include "exec/launch/scope.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* An unused block of this executor, or a new one.  NULL without memory.  Its fields for threads,
 * launches and memory are empty, because a block has none of these when it ends. */
static inline struct cdp_block *cdp_block_take(struct cdp_executor *executor)
{
    struct cdp_block *block = executor->blocks.free;
    if (CDP_LIKELY(block != NULL)) {
        executor->blocks.free = block->next;
        executor->blocks.free_count--;
        return block;
    }
    return cdp_block_find(executor);
}

static inline void cdp_block_give(struct cdp_executor *executor, struct cdp_block *block)
{
    if (CDP_UNLIKELY(block->children.objects != NULL)) {
        cdp_scope_close(executor, &block->children.objects);
    }
    block->next = executor->blocks.free;
    executor->blocks.free = block;
    if (CDP_UNLIKELY(++executor->blocks.free_count == CDP_SPARE_KEPT)) {
        cdp_block_spare(executor);
    }
}

/* Sets all fields except the block's index, the order of its threads, and shared memory.  Each
 * store costs here: the stores dominate the time of a small launch. */
static inline void cdp_block_begin(struct cdp_block *block, struct cdp_grid *grid, uint32_t threads)
{
    block->view.kernel = grid->kernel;
    block->view.thread_count = threads;
    block->view.depth = grid->shape.depth;
    for (int i = 0; i < 3; i++) {
        block->view.grid_dim[i] = grid->shape.grid_dim[i];
        block->view.block_dim[i] = grid->shape.block_dim[i];
    }
    block->grid = grid;
    block->threads.next = 0;
    block->threads.may_start = threads;
    block->threads.alive = threads;
    block->barrier.arrived = block->barrier.arrive_only = block->barrier.votes = 0;
    block->barrier.turn = 1;
    block->children.count = 0;
    cdp_polling_reset(&block->poll);
    block->flags = (struct cdp_block_flags){0};
}

/* No shared memory. */
static inline void cdp_block_begin_bare(struct cdp_block *block)
{
    block->view.dynamic_shared_size = 0;
    block->slab.size = 0;
    block->view.shared_size = 0;
    block->view.shared = block->view.dynamic_shared = NULL;
}

#endif
