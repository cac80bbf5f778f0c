/* Blocks: start, threads, waiting, end. */
#include "exec/state/block.h"

#include <stdio.h>

#include "base/alloc.h"
#include "exec/block/barrier.h"
#include "exec/block/begin.h"
#include "exec/block/divergent.h"
#include "exec/loop/engine.h"
#include "exec/state/executor.h"
#include "exec/report/fault.h"
#include "exec/loop/replay.h"
#include "exec/report/deadlock.h"
#include "exec/block/warp.h"

/* Red zones: everything but the kernel's variables and the dynamic part.  Exported
 * segments lie between the two and stay open. */
static void poison_shared(const struct cdp_block *block, const struct cdp_abi_kernel *kernel)
{
    const char *slab = block->view.shared;
    cdp_sanitizer_poison(slab, kernel->shared_extent);
    for (uint32_t i = 0; i < kernel->shared_count; i++) {
        const struct cdp_abi_shared_variable *v = &kernel->shared_variables[i];
        cdp_sanitizer_unpoison(slab + v->offset, v->size);
    }
    const char *end = slab + block->slab_size;
    cdp_sanitizer_poison(end, cdp_slab_slack(block->slab_size));
}

static bool set_shared(struct cdp_executor *executor, struct cdp_block *block,
                       const struct cdp_grid *grid)
{
    const struct cdp_abi_kernel *kernel = grid->kernel;
    size_t fixed = kernel->shared_extent;
    if (executor->engine->shared_segments_end > fixed) {
        fixed = executor->engine->shared_segments_end;
    }
    cdp_block_begin_bare(block);
    block->view.dynamic_shared_size = grid->dynamic_shared;
    if (fixed + grid->dynamic_shared == 0) {
        return true;
    }
    fixed = (fixed + 127) & ~(size_t)127;
    char *slab = cdp_slab_take(&executor->slabs, fixed + grid->dynamic_shared);
    if (slab == NULL) {
        return false;
    }
    block->slab_size = block->view.shared_size = fixed + grid->dynamic_shared;
    block->view.shared = slab;
    block->view.dynamic_shared = slab + fixed;
    if (CDP_ASAN) {
        poison_shared(block, kernel);
    }
    return true;
}

static void set_index(struct cdp_block *block, const struct cdp_grid *grid, uint32_t index)
{
    struct cdp_abi_block *view = &block->view;
    if (grid->grid_dim[1] == 1 && grid->grid_dim[2] == 1) {
        view->block_idx[0] = index;
        view->block_idx[1] = view->block_idx[2] = 0;
        return;
    }
    uint32_t rest = index / grid->grid_dim[0];
    view->block_idx[0] = index % grid->grid_dim[0];
    view->block_idx[1] = rest % grid->grid_dim[1];
    view->block_idx[2] = rest / grid->grid_dim[1];
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A shuffle of 0 .. count - 1 for CDP_SEED: i -> (offset + i * stride) mod count, with
 * stride coprime to count. */
struct shuffle {
    uint32_t stride, offset;
};

static struct shuffle make_shuffle(uint64_t random, uint32_t count)
{
    struct shuffle shuffle = {.stride = (uint32_t)(random >> 8) % count,
                              .offset = (uint32_t)(random >> 40) % count};
    while (shuffle.stride == 0 || greatest_common_divisor(shuffle.stride, count) != 1) {
        shuffle.stride = shuffle.stride + 1 < count ? shuffle.stride + 1 : 1;
    }
    return shuffle;
}

static void set_order(struct cdp_executor *executor, struct cdp_block *block, uint32_t count)
{
    block->order_stride = 0;
    block->direct_from = count;
    block->next_idx[0] = block->next_idx[1] = block->next_idx[2] = 0;
    if (CDP_LIKELY(executor->engine->options->seed == 0)) {
        return;
    }
    if (executor->replay != NULL) {
        block->direct_from = CDP_NEVER_DIRECT;
    }
    struct shuffle shuffle = make_shuffle(cdp_worker_random(&executor->worker), count);
    block->order_stride = shuffle.stride;
    block->order_offset = shuffle.offset;
}

/* Which block runs index-th, with a free schedule.  All workers must agree, so it depends on
 * the seed and on what the grid is alone. */
static uint32_t shuffled_block(const struct cdp_executor *executor, const struct cdp_grid *grid,
                               uint32_t index)
{
    uint32_t seed = executor->engine->options->seed, count = grid->block_count;
    if (CDP_LIKELY(seed == 0) || count == 1 || executor->replay != NULL) {
        return index;
    }
    uint64_t random = (seed + (uint64_t)grid->depth) * 0x9e3779b97f4a7c15u;
    struct shuffle shuffle = make_shuffle(random ^ random >> 29, count);
    return (uint32_t)((shuffle.offset + (uint64_t)index * shuffle.stride) % count);
}

/* No memory for the block: the grid's tree fails, the count stays right. */
static void fail_start(struct cdp_executor *executor, struct cdp_grid *grid)
{
    cdp_launch_memory_fault(grid, executor, "a block");
    if (cdp_grid_block_ended(executor, grid)) {
        cdp_grid_complete(executor, grid);
    }
}

static bool uses_block_entry(const struct cdp_block *block)
{
    const struct cdp_abi_kernel *kernel = block->grid->kernel;
    if (CDP_LIKELY(kernel->block_entry == NULL)) {
        return false;
    }
    /* A block entry has an order of its own. */
    bool by_thread = block->executor->engine->by_thread || block->executor->replay != NULL ||
                     block->view.thread_count < CDP_ABI_FEWEST_AT_ONCE;
    return !by_thread || kernel->thread_entry == NULL;
}

/* Only threads meet by the warps' records; a block entry does without. */
static bool has_its_warps(struct cdp_block *block)
{
    return (block->grid->kernel->flags & CDP_KERNEL_WARP_OPS) == 0 || block->warps != NULL ||
           cdp_warps_create(block);
}

static void fail_block(struct cdp_block *block)
{
    cdp_fault_set(block->executor->engine, CDP_NO_MEMORY, "no memory for a block of kernel %s",
                  block->grid->kernel->name);
}

/* An abandoned tree completes without running. */
static void skip_threads(struct cdp_block *block)
{
    block->next_thread = block->view.thread_count;
    block->alive = 0;
}

struct cdp_block *cdp_block_find(struct cdp_executor *executor)
{
    struct cdp_launch_memory *memory = executor->grids.memory;
    struct cdp_block *block = cdp_spares_take(&memory->spares, CDP_SPARE_BLOCKS);
    if (block != NULL) {
        executor->free_blocks = block->next;
        executor->free_block_count = CDP_SPARE_BATCH - 1;
        block->executor = executor;
        for (struct cdp_block *other = block->next; other != NULL; other = other->next) {
            other->executor = executor;
        }
        return block;
    }
    block = cdp_launch_memory_take(memory, sizeof *block) ? cdp_alloc_zero(sizeof *block) : NULL;
    if (block != NULL) {
        cdp_epochs_init(&block->epochs);
        cdp_ring_init(&block->ring);
        block->executor = executor;
    }
    return block;
}

size_t cdp_blocks_destroy(struct cdp_block *list)
{
    size_t bytes = 0;
    while (list != NULL) {
        struct cdp_block *block = list;
        list = block->next;
        cdp_epochs_finish(&block->epochs);
        cdp_ring_finish(&block->ring);
        cdp_free(block);
        bytes += sizeof *block;
    }
    return bytes;
}

void cdp_block_spare(struct cdp_executor *executor)
{
    void *list = executor->free_blocks;
    cdp_spares_give(&executor->grids.memory->spares, CDP_SPARE_BLOCKS, &list);
    executor->free_blocks = list;
    executor->free_block_count -= CDP_SPARE_BATCH;
    cdp_grids_spare(executor); /* each block had a grid */
}

void cdp_block_start(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t index)
{
    struct cdp_block *block = cdp_block_take(executor);
    if (CDP_UNLIKELY(block == NULL)) {
        fail_start(executor, grid);
        return;
    }
    uint32_t threads = (uint32_t)grid->block_dim[0] * grid->block_dim[1] * grid->block_dim[2];
    cdp_block_begin(block, grid, threads);
    set_index(block, grid, shuffled_block(executor, grid, index));
    set_order(executor, block, threads);
    executor->resident++;
    executor->current = block;
    bool ok =
        set_shared(executor, block, grid) && (uses_block_entry(block) || has_its_warps(block));
    if (CDP_UNLIKELY(!ok)) {
        fail_block(block);
    }
    if (cdp_engine_has_failed(executor->engine)) {
        skip_threads(block);
    }
}

static void set_linear(const struct cdp_block *block, struct cdp_abi_thread *thread,
                       uint32_t linear)
{
    const uint32_t *dim = block->view.block_dim;
    thread->linear = linear;
    thread->thread_idx[0] = linear % dim[0];
    thread->thread_idx[1] = linear / dim[0] % dim[1];
    thread->thread_idx[2] = linear / dim[0] / dim[1];
}

/* Gives the fiber the next unstarted thread, in natural order. */
static inline void set_next(struct cdp_block *block, struct cdp_abi_thread *thread)
{
    const uint32_t *dim = block->view.block_dim;
    uint32_t *idx = block->next_idx;
    thread->linear = block->next_thread++;
    thread->thread_idx[0] = idx[0];
    thread->thread_idx[1] = idx[1];
    thread->thread_idx[2] = idx[2];
    if (CDP_UNLIKELY(++idx[0] == dim[0])) {
        idx[0] = 0;
        if (++idx[1] == dim[1]) {
            idx[1] = 0;
            idx[2]++;
        }
    }
}

CDP_NOINLINE void cdp_block_thread_ended_slowly(struct cdp_block *block,
                                                struct cdp_abi_thread *thread)
{
    cdp_barrier_thread_ended(block, cdp_fiber_of(thread));
    if (block->warps != NULL) {
        cdp_warp_lane_ended(block, thread->linear);
    }
    if (CDP_UNLIKELY(block->numbered != NULL)) {
        cdp_numbered_lane_ended(block);
    }
    if (thread->launch_failed != 0) {
        cdp_fault_unread_error(block, thread);
    }
}

/* All threads at once, by the kernel's block entry: for the scheduler one thread.  It may go on
 * with the blocks behind this one: then they never start here, and have ended like it.  False if
 * the entry is not for this block. */
static bool run_block_entry(struct cdp_block *block, struct cdp_fiber *self)
{
    block->next_thread = block->view.thread_count;
    block->alive = 1;
    block->is_whole = true;
    self->thread.linear = 0;
    self->thread.thread_idx[0] = self->thread.thread_idx[1] = self->thread.thread_idx[2] = 0;
    self->thread.last_error = 0;
    self->thread.launch_failed = 0;
    self->thread.at_work = 0;
    self->busy = true;
    uint32_t count = cdp_grid_take_part(block->executor, block);
    uint32_t ran =
        block->grid->kernel->block_entry(cdp_grid_params(block->grid), &block->view, count);
    self->busy = false;
    block->is_whole = false;
    if (CDP_UNLIKELY(block->executor->engine->options->stats != 0)) {
        cdp_stats_asked(block->executor, ran);
    }
    if (ran == 0 && count > 1) {
        cdp_grid_return_part(block->executor, block);
    }
    if (ran == 0 && CDP_LIKELY(has_its_warps(block))) {
        block->next_thread = 0;
        block->alive = block->view.thread_count;
        return false;
    }
    if (CDP_UNLIKELY(ran == 0)) {
        fail_block(block);
    }
    block->alive = 0;
    if (CDP_UNLIKELY(self->thread.launch_failed != 0)) {
        cdp_fault_unread_error(block, &self->thread);
    }
    return true;
}

/* With CDP_SEED; one thread at a time where the loop then chooses again. */
static CDP_NOINLINE void run_shuffled_threads(struct cdp_block *block, struct cdp_fiber *self)
{
    do {
        set_linear(block, &self->thread, cdp_block_thread_at(block, block->next_thread++));
        self->busy = true;
        cdp_block_call(block, self, block->grid->kernel->thread_entry,
                       cdp_grid_params(block->grid));
        self->busy = false;
    } while (block->direct_from != CDP_NEVER_DIRECT &&
             block->next_thread < block->view.thread_count);
}

/* Leaves the running fiber, whose threads have ended, for the block's next that can run; returns
 * when it is taken up again.  It is called like a thread, from the same place: so the thread
 * that goes on returns to where the processor foretells it. */
static void leave_for_next(const void *params)
{
    (void)params;
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_executor_cache(block->executor, self);
    cdp_fiber_switch(self, cdp_block_take_ready(block));
}

/* Whether a fiber that is taken up again has just to go on with the threads of a block. */
static inline bool has_begun(const struct cdp_executor *executor, const struct cdp_block *block)
{
    return executor->trap.fiber == NULL && executor->reserve != NULL && block != NULL &&
           block->next_thread != 0 && block->next_thread < block->may_start &&
           block->order_stride == 0;
}

/* Runs threads in natural order until none is left and none can go on, or until self was left
 * for others, which is false, and is taken up again. */
static bool run_in_order(struct cdp_block *block, struct cdp_fiber *self)
{
    void (*entry)(const void *params) = block->grid->kernel->thread_entry;
    const void *params = cdp_grid_params(block->grid);
    struct cdp_abi_thread *thread = &self->thread;
    bool in_row = block->view.block_dim[1] == 1 && block->view.block_dim[2] == 1;
    /* Nobody else writes these, also while a thread is suspended on this fiber. */
    thread->thread_idx[1] = thread->thread_idx[2] = 0;
    self->busy = true;
    for (;;) {
        if (CDP_UNLIKELY(block->next_thread >= block->may_start)) {
            self->busy = false;
            if (!cdp_block_has_ready(block)) {
                return true;
            }
            entry = leave_for_next;
        } else if (CDP_LIKELY(in_row)) {
            thread->linear = thread->thread_idx[0] = block->next_thread++;
        } else {
            set_next(block, thread);
        }
        thread->last_error = 0;
        thread->launch_failed = 0;
        entry(params);
        if (!self->busy) {
            return false;
        }
        cdp_block_thread_ended(block, thread);
    }
}

/* Threads in natural order, as cdp_block_run_threads does. */
static bool run_all(struct cdp_block *block, struct cdp_fiber *self)
{
    const struct cdp_executor *executor = block->executor;
    bool stays = true;
    while (!run_in_order(block, self)) {
        stays = false;
        block = executor->current;
        if (CDP_UNLIKELY(!has_begun(executor, block))) {
            return false;
        }
        self->thread.block = &block->view;
    }
    return stays;
}

bool cdp_block_run_threads(struct cdp_block *block, struct cdp_fiber *self)
{
    self->thread.block = &block->view;
    if (block->next_thread == 0 && uses_block_entry(block) && run_block_entry(block, self)) {
        return true;
    }
    if (CDP_UNLIKELY(block->order_stride != 0)) {
        run_shuffled_threads(block, self);
        return true;
    }
    return run_all(block, self);
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

/* Gives back what only running threads need. */
static void release_threads(struct cdp_block *block)
{
    struct cdp_executor *executor = block->executor;
    if (block->slab_size != 0) {
        if (CDP_ASAN) {
            cdp_sanitizer_unpoison(block->view.shared,
                                   block->slab_size + cdp_slab_slack(block->slab_size));
        }
        cdp_slab_give(&executor->slabs, block->view.shared, block->slab_size);
        block->slab_size = 0;
    }
    if (block->warps != NULL) {
        cdp_warps_destroy(block);
    }
    if (CDP_UNLIKELY(block->numbered != NULL)) {
        cdp_numbered_destroy(block);
    }
    if (CDP_UNLIKELY(block->places != NULL)) {
        cdp_divergent_destroy(block);
    }
    while (block->buffers != NULL) {
        struct cdp_grid *buffer = block->buffers;
        block->buffers = buffer->task.link != NULL ? cdp_grid_of_task(buffer->task.link) : NULL;
        cdp_grid_give(executor, buffer);
    }
}

/* Returns the grid if this was its last block. */
static struct cdp_grid *finish(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_grid *grid = block->grid;
    if (CDP_UNLIKELY(block->asserted)) {
        cdp_fault_asserted(block);
    }
    cdp_block_give(executor, block);
    executor->resident--;
    return cdp_grid_block_ended(executor, grid) ? grid : NULL;
}

/* Everything waits, and for nothing that can come. */
static bool is_stuck(const struct cdp_block *block)
{
    return block->children == 0;
}

void cdp_block_settle(struct cdp_executor *executor, struct cdp_block *block)
{
    if (block->alive != 0) {
        if (block->converge.head != NULL) {
            cdp_warp_release_converged(block);
            return;
        }
        if (CDP_UNLIKELY(is_stuck(block))) {
            cdp_stuck_report(block);
            cdp_block_kill(block);
            return;
        }
        cdp_executor_put_aside(executor, block);
        return;
    }
    executor->current = NULL;
    block->threads_done = true;
    release_threads(block);
    if (block->children == 0) {
        struct cdp_grid *grid = finish(executor, block);
        if (grid != NULL) {
            cdp_grid_complete(executor, grid);
        }
    }
}

/* Lets go the threads that wait for epochs which are over: true if there were any. */
static bool release_waiting(struct cdp_block *block)
{
    bool any = false;
    for (struct cdp_fiber *fiber = block->sync.head;
         fiber != NULL && cdp_epochs_over(&block->epochs, fiber->epoch); fiber = block->sync.head) {
        cdp_fiber_push(&block->ready, cdp_fiber_pop(&block->sync));
        any = true;
    }
    return any;
}

struct cdp_grid *cdp_block_child_done(struct cdp_executor *executor, struct cdp_grid *child)
{
    struct cdp_block *block = child->parent;
    uint16_t epoch = child->epoch;
    if (block->null_tail == child) {
        block->null_tail = NULL;
    }
    cdp_grid_give(executor, child);
    bool released = cdp_epochs_child_done(&block->epochs, epoch) && release_waiting(block);
    if (--block->children != 0) {
        if (released && block->suspended) {
            cdp_executor_resume(executor, block);
        }
        return NULL;
    }
    cdp_fiber_append(&block->ready, &block->sync);
    if (block->suspended) {
        cdp_executor_resume(executor, block);
    }
    return block->threads_done ? finish(executor, block) : NULL;
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
    cdp_numbered_collect(block, &block->ready);
    drop_all(executor, &block->ready);
    drop_all(executor, &block->polling);
    drop_all(executor, &block->barrier);
    struct cdp_fiber_queue in_ring = cdp_ring_clear(&block->ring);
    drop_all(executor, &in_ring);
    drop_all(executor, &block->sync);
    drop_all(executor, &block->converge);
    cdp_poll_release(block);
    block->next_thread = block->view.thread_count;
    block->alive = block->arrived = block->passers = 0;
    block->asserted = false;
}
