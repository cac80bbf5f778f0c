/* A thread waits for the grids that its block has launched. */
#include "exec/block/synchronize.h"

#include "races/history.h"
#include "exec/block/executor.h"
#include "exec/report/stats.h"
#include "exec/state/engine.h"
#include "exec/state/point.h"
#include "exec/state/stats.h"

enum cdp_status cdp_block_synchronize(struct cdp_block *block)
{
    struct cdp_executor *executor = block->executor;
    const struct cdp_engine_device *device =
        &executor->engine->devices[cdp_grid_device(block->grid)];
    if (block->grid->shape.depth >= device->limits.sync_depth) {
        return CDP_SYNC_DEPTH_EXCEEDED;
    }
    if (CDP_UNLIKELY(executor->engine->modes.counts_launches)) {
        cdp_stats_note(executor, CDP_STATS_WAITED);
    }
    if (!cdp_mailbox_seems_empty(&executor->worker.mail)) {
        cdp_executor_take_mail(executor);
    }
    uint32_t latest = block->races != NULL ? block->races->latest : 0;
    if (block->children.count != 0) {
        struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
        self->epoch = cdp_epochs_close(&block->children.epochs, block->children.count);
        cdp_fiber_push(&block->children.waiting, self);
        cdp_executor_suspend(executor, self);
    } else {
        cdp_schedule_point(block);
    }
    if (CDP_UNLIKELY(block->races != NULL)) {
        cdp_history_joined(block->races, cdp_abi_self->linear, latest);
    }
    return CDP_OK;
}
