/* Invariants of launch records, blocks and executors. */
#include "exec/state/valid.h"

#include <stddef.h>
#include <stdint.h>

#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "exec/state/named_barrier.h"

/* ---- Grids ---- */

static bool is_shape_valid(const struct cdp_grid *grid)
{
    const struct cdp_grid_shape *shape = &grid->shape;
    uint64_t blocks = (uint64_t)shape->grid_dim[0] * shape->grid_dim[1] * shape->grid_dim[2];
    uint64_t threads = (uint64_t)shape->block_dim[0] * shape->block_dim[1] * shape->block_dim[2];
    uint32_t left = atomic_load_explicit(&grid->blocks_left, memory_order_relaxed);
    return blocks != 0 && blocks == shape->block_count && threads != 0 &&
           threads <= CDP_MOST_THREADS && (left & ~CDP_BOTH_HERE) <= shape->block_count;
}

/* The fields for the completion of the grid, and for its stream. */
static bool is_place_valid(const struct cdp_grid *grid)
{
    switch ((enum cdp_grid_kind)grid->kind) {
    case CDP_GRID_HOST:
        return grid->chain != NULL && grid->queue != NULL && grid->order == CDP_ORDER_NONE;
    case CDP_GRID_CHILD:
        return grid->parent != NULL && grid->home != NULL &&
               (grid->order != CDP_ORDER_NAMED || grid->stream != NULL);
    case CDP_GRID_TAIL:
        return grid->owner != NULL && grid->order == CDP_ORDER_NONE;
    default:
        return false;
    }
}

bool cdp_grid_is_valid(const struct cdp_grid *grid)
{
    bool is_operation = grid->kernel == NULL;
    return (is_operation || is_shape_valid(grid)) && is_place_valid(grid) &&
           grid->order <= CDP_ORDER_NAMED && grid->size_class < CDP_GRID_CLASSES &&
           (grid->tails.first == NULL || grid->tails.last != NULL);
}

/* ---- Blocks ---- */

static uint32_t length(const struct cdp_fiber_queue *queue)
{
    uint32_t count = 0;
    for (const struct cdp_fiber *fiber = queue->head; fiber != NULL; fiber = fiber->next) {
        count++;
    }
    return count;
}

/* Threads in the block's queues and ring: they wait or can run. */
static uint32_t count_waiting(const struct cdp_block *block)
{
    uint32_t count = length(&block->ready) + length(&block->polling) + length(&block->converge) +
                     length(&block->barrier.waiting) + length(&block->children.waiting);
    const struct cdp_named_barrier *named = block->named;
    for (; named != NULL; named = named->next) {
        count += length(&named->waiting) + length(&named->again);
    }
    return count + (uint32_t)(block->ring.end - block->ring.start);
}

static bool is_ring_valid(const struct cdp_ring *ring)
{
    return ring->start <= ring->at && ring->at <= ring->end && ring->end->sp == NULL &&
           (ring->base == NULL || ring->base <= ring->start);
}

static bool are_threads_valid(const struct cdp_block *block)
{
    const struct cdp_block_threads *threads = &block->threads;
    uint32_t all = block->view.thread_count;
    return all != 0 && all <= CDP_MOST_THREADS && threads->next <= all &&
           threads->may_start <= all && threads->alive <= all &&
           (!block->flags.threads_done || threads->alive == 0);
}

static bool is_barrier_valid(const struct cdp_block *block)
{
    const struct cdp_block_barrier *barrier = &block->barrier;
    return barrier->turn != 0 && barrier->arrive_only <= barrier->arrived &&
           barrier->arrived + cdp_ring_waiting(&block->ring) <= block->threads.alive &&
           length(&barrier->waiting) + barrier->arrive_only >= barrier->arrived;
}

bool cdp_block_is_valid(const struct cdp_block *block)
{
    bool has_children = block->children.count != 0;
    return block->grid != NULL && block->executor != NULL && are_threads_valid(block) &&
           is_ring_valid(&block->ring) && is_barrier_valid(block) &&
           count_waiting(block) <= block->threads.alive &&
           (has_children || block->children.waiting.head == NULL) &&
           (block->slab.size == 0 || block->view.shared != NULL);
}

/* ---- Executors ---- */

/* The length of the doubly linked list from suspended_head.  UINT32_MAX: the list is not valid. */
static uint32_t count_suspended(const struct cdp_executor *executor)
{
    uint32_t count = 0;
    const struct cdp_block *before = NULL;
    for (const struct cdp_block *block = executor->blocks.suspended_head; block != NULL;
         block = block->suspension.next) {
        if (!block->flags.is_suspended || block->suspension.before != before ||
            block->executor != executor || block == executor->current) {
            return UINT32_MAX;
        }
        before = block;
        count++;
    }
    return count;
}

/* The length of a list, by next, of blocks that can continue.  UINT32_MAX: the list is not
 * valid. */
static uint32_t count_resumable(const struct cdp_executor *executor, const struct cdp_block *list)
{
    uint32_t count = 0;
    for (const struct cdp_block *block = list; block != NULL; block = block->next) {
        if (block->flags.is_suspended || block->executor != executor ||
            block == executor->current) {
            return UINT32_MAX;
        }
        count++;
    }
    return count;
}

static bool are_blocks_valid(const struct cdp_executor *executor)
{
    const struct cdp_executor_blocks *blocks = &executor->blocks;
    uint32_t suspended = count_suspended(executor);
    uint32_t resumable = count_resumable(executor, blocks->resumable_head);
    uint32_t now = count_resumable(executor, blocks->polls.now);
    uint32_t later = count_resumable(executor, blocks->polls.later);
    if (suspended != blocks->suspended || resumable == UINT32_MAX || now == UINT32_MAX ||
        later == UINT32_MAX) {
        return false;
    }
    return suspended + resumable + now + later + (executor->current != NULL) <= blocks->resident;
}

static bool is_batch_valid(const struct cdp_batch_of_blocks *batch)
{
    return batch->left.task == NULL || batch->left.first < batch->left.last;
}

bool cdp_executor_is_valid(const struct cdp_executor *executor)
{
    return executor->engine != NULL && executor->schedule != NULL &&
           executor->fibers.main != NULL && executor->overflow.count <= CDP_OVERFLOW &&
           are_blocks_valid(executor) && is_batch_valid(&executor->batch);
}
