/* The threads of a block: one after the other on a fiber, or all together by a block entry. */
#include "exec/block/threads.h"

#include "exec/block/batch.h"
#include "exec/block/block.h"
#include "exec/block/executor.h"
#include "exec/block/start.h"
#include "exec/block/trial.h"
#include "exec/report/profile.h"
#include "exec/report/stats.h"
#include "exec/state/engine.h"
#include "os/os.h"

static void set_linear(const struct cdp_block *block, struct cdp_abi_thread *thread,
                       uint32_t linear)
{
    thread->linear = linear;
    cdp_index_of(block->view.block_dim, linear, thread->thread_idx);
}

/* Sets the indices of the next thread that has not started, in natural order. */
static inline void set_next(struct cdp_block *block, struct cdp_abi_thread *thread)
{
    const uint32_t *dim = block->view.block_dim;
    uint32_t *idx = block->order.next_idx;
    thread->linear = block->threads.next++;
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

/* Runs all threads by the kernel's block entry.  The scheduler treats them as one thread.  The
 * entry may also run blocks after this one.  The scheduler does not start those that it ran, and
 * they end with this one.  Returns how many blocks it ran; 0 if no version of the entry supports
 * this block. */
static uint32_t run_block_entry(struct cdp_block *block, struct cdp_fiber *self)
{
    block->threads.next = block->view.thread_count;
    block->threads.alive = 1;
    block->flags.is_whole = true;
    self->thread.linear = 0;
    self->thread.thread_idx[0] = self->thread.thread_idx[1] = self->thread.thread_idx[2] = 0;
    self->thread.last_error = 0;
    self->thread.launch_failed = 0;
    self->thread.active_threads = 0;
    self->busy = true;
    uint32_t count = cdp_grid_take_part(block->executor, block);
    cdp_lock_expect_none();
    uint32_t ran =
        block->grid->kernel->block_entry(cdp_grid_params(block->grid), &block->view, count);
    self->busy = false;
    block->flags.is_whole = false;
    if (CDP_UNLIKELY(block->executor->engine->options->stats != 0)) {
        cdp_stats_entry_called(block->executor, ran);
    }
    if (CDP_UNLIKELY(cdp_grid_is_profiled(block->grid)) && ran > 1) {
        cdp_profile_blocks_ended(ran - 1);
    }
    if (CDP_UNLIKELY(ran < count) && count > 1) {
        cdp_grid_return_part(block->executor, block, ran);
    }
    if (ran == 0 && CDP_LIKELY(cdp_block_has_its_warps(block))) {
        block->threads.next = 0;
        block->threads.alive = block->view.thread_count;
        return 0;
    }
    if (CDP_UNLIKELY(ran == 0)) {
        cdp_block_fail(block);
        ran = 1;
    }
    block->threads.alive = 0;
    if (CDP_UNLIKELY(self->thread.launch_failed != 0)) {
        cdp_block_unread_error(block, &self->thread);
    }
    return ran;
}

/* With CDP_SEED. Runs only one thread if the loop chooses each next thread. */
static CDP_NOINLINE void run_shuffled_threads(struct cdp_block *block, struct cdp_fiber *self)
{
    do {
        set_linear(block, &self->thread, cdp_block_thread_at(block, block->threads.next++));
        self->busy = true;
        cdp_block_call(block, self, block->grid->kernel->thread_entry,
                       cdp_grid_params(block->grid));
        self->busy = false;
    } while (block->threads.direct_from != CDP_NEVER_DIRECT &&
             block->threads.next < block->view.thread_count);
}

/* Switches from the running fiber, whose threads have ended, to the block's next fiber that can
 * run.  Returns when the running fiber is used again.  It is called like a thread, by the same call
 * instruction.  So the processor predicts the return of the thread that continues. */
static void leave_for_next(const void *params)
{
    (void)params;
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_executor_cache(block->executor, self);
    cdp_fiber_switch(self, cdp_block_take_ready(block));
}

/* Whether a fiber that is used again only has to run more threads of the current block. */
static inline bool has_begun(const struct cdp_executor *executor, const struct cdp_block *block)
{
    return executor->signals.trap.fiber == NULL && executor->fibers.reserve != NULL &&
           block != NULL && block->threads.next != 0 &&
           block->threads.next < block->threads.may_start && block->order.stride == 0;
}

/* Runs threads in natural order.  True: all threads have started and none can run.  False: self was
 * switched away from meanwhile, and is now used again. */
static bool run_in_order(struct cdp_block *block, struct cdp_fiber *self)
{
    void (*entry)(const void *params) = block->grid->kernel->thread_entry;
    const void *params = cdp_grid_params(block->grid);
    struct cdp_abi_thread *thread = &self->thread;
    bool in_row = block->view.block_dim[1] == 1 && block->view.block_dim[2] == 1;
    /* No other code writes these, even while a thread is suspended on this fiber. */
    thread->thread_idx[1] = thread->thread_idx[2] = 0;
    self->busy = true;
    for (;;) {
        if (CDP_UNLIKELY(block->threads.next >= block->threads.may_start)) {
            self->busy = false;
            if (!cdp_block_has_ready(block)) {
                return true;
            }
            entry = leave_for_next;
        } else if (CDP_LIKELY(in_row)) {
            thread->linear = thread->thread_idx[0] = block->threads.next++;
        } else {
            set_next(block, thread);
        }
        thread->last_error = 0;
        thread->launch_failed = 0;
        cdp_lock_expect_none();
        entry(params);
        if (!self->busy) {
            return false;
        }
        cdp_block_thread_ended(block, thread);
    }
}

/* cdp_block_run_threads for the natural order. */
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

/* Whether another entry than the block entry may be tried: none is requested, and there is no order
 * of threads to keep. */
static bool may_try(const struct cdp_block *block)
{
    const struct cdp_executor *executor = block->executor;
    return (block->grid->kernel->flags & CDP_KERNEL_UNSURE) != 0 &&
           executor->schedule->is_natural && !executor->engine->modes.by_block &&
           block->order.stride == 0;
}

/* Runs the block by the faster entry, or by one that is measured. */
static CDP_NOINLINE bool run_faster(struct cdp_block *block, struct cdp_fiber *self)
{
    struct cdp_executor *executor = block->executor;
    const struct cdp_abi_kernel *kernel = block->grid->kernel;
    enum cdp_entry entry = cdp_trial_choose(executor, kernel);
    uint64_t begun = cdp_os_ticks();
    uint32_t blocks = entry == CDP_ENTRY_BLOCK ? run_block_entry(block, self) : 0;
    bool stays = blocks != 0 || run_all(block, self);
    if (stays && (blocks != 0 || entry == CDP_ENTRY_THREADS)) {
        cdp_trial_ran(executor, kernel, entry, blocks == 0 ? 1 : blocks, cdp_os_ticks() - begun);
    }
    return stays;
}

bool cdp_block_run_threads(struct cdp_block *block, struct cdp_fiber *self)
{
    self->thread.block = &block->view;
    if (block->threads.next == 0 && cdp_block_uses_entry(block)) {
        if (CDP_UNLIKELY(may_try(block))) {
            return run_faster(block, self);
        }
        if (run_block_entry(block, self) != 0) {
            return true;
        }
    }
    if (CDP_UNLIKELY(block->order.stride != 0)) {
        run_shuffled_threads(block, self);
        return true;
    }
    return run_all(block, self);
}
