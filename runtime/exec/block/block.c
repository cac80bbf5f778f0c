/* Blocks: their memory, and the end of their threads. */
#include "exec/block/block.h"

#include "base/alloc.h"
#include "exec/block/barrier.h"
#include "exec/block/cluster.h"
#include "exec/block/executor.h"
#include "exec/block/named_barrier.h"
#include "exec/block/poll.h"
#include "exec/block/warp.h"
#include "exec/launch/launch_memory.h"
#include "exec/launch/record.h"
#include "exec/report/fault.h"
#include "exec/state/engine.h"

struct cdp_block *cdp_block_find(struct cdp_executor *executor)
{
    struct cdp_launch_memory *memory = executor->records.source.memory;
    struct cdp_block *block = cdp_spares_take(&memory->spares, CDP_SPARE_BLOCKS);
    if (block != NULL) {
        executor->blocks.free = block->next;
        executor->blocks.free_count = CDP_SPARE_BATCH - 1;
        block->executor = executor;
        for (struct cdp_block *other = block->next; other != NULL; other = other->next) {
            other->executor = executor;
        }
        return block;
    }
    block = cdp_launch_memory_take(memory, sizeof *block) ? cdp_alloc_zero(sizeof *block) : NULL;
    if (block != NULL) {
        cdp_epochs_init(&block->children.epochs);
        cdp_ring_init(&block->ring);
        block->executor = executor;
        block->view.serial_children = cdp_executor_serial_children(executor);
    }
    return block;
}

size_t cdp_blocks_destroy(struct cdp_block *list)
{
    size_t bytes = 0;
    while (list != NULL) {
        struct cdp_block *block = list;
        list = block->next;
        cdp_epochs_finish(&block->children.epochs);
        cdp_ring_finish(&block->ring);
        cdp_free(block);
        bytes += sizeof *block;
    }
    return bytes;
}

void cdp_block_spare(struct cdp_executor *executor)
{
    void *list = executor->blocks.free;
    cdp_spares_give(&executor->records.source.memory->spares, CDP_SPARE_BLOCKS, &list);
    executor->blocks.free = list;
    executor->blocks.free_count -= CDP_SPARE_BATCH;
    /* Each block had a launch record, so there may be too many records, too. */
    cdp_grids_spare(executor);
}

void cdp_block_unread_error(struct cdp_block *block, const struct cdp_abi_thread *thread)
{
    enum { NO_MEMORY = 2 }; /* of launch_failed */
    cdp_fault_unread_error(block, thread);
    if (thread->launch_failed == NO_MEMORY) {
        cdp_launch_memory_fault(block->grid, block->executor, "a launch by a thread");
    }
}

/* Whether the threads that have not started do nothing, as the thread has said that ended now: if
 * the order is that of threadIdx.x, and nobody observes the end of each of them. */
static bool rest_returns(const struct cdp_block *block, const struct cdp_abi_thread *thread)
{
    const struct cdp_abi_block *view = &block->view;
    uint64_t end = ((uint64_t)view->block_idx[0] + 1) * view->block_dim[0];
    bool is_row = view->block_dim[1] == 1 && view->block_dim[2] == 1 && end <= INT32_MAX;
    bool is_observed = cdp_steps_has(block) || block->warps != NULL || block->named != NULL ||
                       block->races != NULL || block->threads.counts != NULL ||
                       block->slab.cluster != NULL;
    return is_row && !is_observed && block->order.stride == 0 &&
           thread->linear + 1 == block->threads.next;
}

/* For most kernels whose grids have more threads than elements. */
static void skip_rest(struct cdp_block *block, struct cdp_abi_thread *thread)
{
    struct cdp_block_threads *threads = &block->threads;
    thread->launch_failed = 0;
    if (rest_returns(block, thread)) {
        threads->alive -= threads->may_start - threads->next;
        threads->next = threads->may_start;
    }
}

CDP_NOINLINE void cdp_block_thread_ended_slowly(struct cdp_block *block,
                                                struct cdp_abi_thread *thread)
{
    if (thread->launch_failed == CDP_THREADS_RETURN) {
        skip_rest(block, thread);
    }
    if (cdp_steps_has(block)) {
        cdp_steps_add(&(struct cdp_step){.kind = CDP_STEP_END, .thread = thread->linear});
    }
    cdp_barrier_thread_ended(block, cdp_fiber_of(thread));
    if (block->warps != NULL) {
        cdp_warp_lane_ended(block, thread->linear);
    }
    if (CDP_UNLIKELY(block->named != NULL)) {
        cdp_named_barriers_lane_ended(block);
    }
    if (CDP_UNLIKELY(block->slab.cluster != NULL)) {
        cdp_cluster_thread_ended(block, thread);
    }
    if (thread->launch_failed != 0) {
        cdp_block_unread_error(block, thread);
    }
}

void cdp_block_abort_thread(struct cdp_block *block, struct cdp_fiber *self)
{
    struct cdp_executor *executor = block->executor;
    cdp_block_thread_ended(block, &self->thread);
    struct cdp_fiber *to = cdp_executor_idle_fiber(executor);
    cdp_fiber_reset(self, true);
    cdp_executor_recycle(executor, self);
    cdp_fiber_abandon(to);
}

static void drop_all(struct cdp_executor *executor, struct cdp_fiber_queue *queue)
{
    struct cdp_fiber *fiber = queue->head;
    queue->head = NULL;
    while (fiber != NULL) {
        struct cdp_fiber *next = fiber->next;
        cdp_fiber_reset(fiber, false);
        cdp_executor_recycle(executor, fiber);
        fiber = next;
    }
}

void cdp_block_kill(struct cdp_block *block)
{
    struct cdp_executor *executor = block->executor;
    if (block->warps != NULL) {
        cdp_warps_collect(block, &block->ready);
    }
    cdp_named_barriers_collect(block, &block->ready);
    cdp_cluster_collect(block, &block->ready);
    drop_all(executor, &block->ready);
    drop_all(executor, &block->polling);
    drop_all(executor, &block->barrier.waiting);
    struct cdp_fiber_queue in_ring = cdp_ring_clear(&block->ring);
    drop_all(executor, &in_ring);
    drop_all(executor, &block->children.waiting);
    drop_all(executor, &block->converge);
    cdp_poll_release(block);
    block->threads.next = block->view.thread_count;
    block->threads.alive = block->barrier.arrived = block->barrier.arrive_only = 0;
    block->flags.asserted = false;
}
