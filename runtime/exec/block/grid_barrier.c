/* The barrier of a cooperative grid.
 *
 * grid.sync() is a barrier of each block, then this for one thread of it, then a barrier again. All
 * blocks of the grid must be resident: a block that waits gives way like one that polls, so the
 * others start, on any number of workers. */
#include "base/attr.h"
#include "exec/block/poll.h"
#include "exec/report/fault.h"
#include "exec/state/block.h"
#include "exec/state/entry.h"
#include "exec/state/executor.h"
#include "races/history.h"
#include "races/release.h"

uint32_t cdp_abi_grid_is_cooperative(void)
{
    return cdp_grid_is_cooperative(cdp_block_of(cdp_abi_self)->grid);
}

/* With the race check: what the block did is before what the others do after the barrier. The whole
 * of a phase has one log of releases. */
static void release(struct cdp_block *block, const struct cdp_grid_barrier *barrier)
{
    if (CDP_UNLIKELY(block->races != NULL)) {
        cdp_history_fence(block->races, cdp_abi_self->linear, false);
        cdp_release_write(barrier, block->races, cdp_abi_self->linear);
    }
}

static void acquire(struct cdp_block *block, const struct cdp_grid_barrier *barrier)
{
    if (CDP_UNLIKELY(block->races != NULL)) {
        cdp_release_read(barrier, block->races, cdp_abi_self->linear);
    }
}

void cdp_abi_grid_wait(void)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    const void *call = (const char *)__builtin_return_address(0) - 1;
    cdp_fault_check_stack(self);
    if (!cdp_grid_is_cooperative(block->grid)) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, call,
                        "grid.sync() in a grid that cudaLaunchCooperativeKernel did not launch");
    }
    self->site = __builtin_return_address(0);
    struct cdp_grid_barrier *barrier = cdp_grid_barrier(block->grid);
    uint32_t phase = atomic_load_explicit(&barrier->phase, memory_order_relaxed);
    release(block, barrier);
    /* Release, and acquire by the last one, which publishes what all have done. */
    uint32_t before = atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel);
    if (before + 1 == block->grid->shape.block_count) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&barrier->phase, phase + 1, memory_order_release);
    } else {
        while (atomic_load_explicit(&barrier->phase, memory_order_acquire) == phase) {
            cdp_poll_yield(block->executor, self);
        }
    }
    acquire(block, barrier);
}
