/* The start of blocks. */
#include "exec/block/start.h"

#include "exec/block/begin.h"
#include "exec/block/cluster.h"
#include "exec/block/completion.h"
#include "exec/block/warp.h"
#include "exec/launch/launch_memory.h"
#include "exec/report/fault.h"
#include "exec/report/profile.h"
#include "exec/report/races.h"
#include "exec/state/engine.h"
#include "exec/state/valid.h"
#include "fiber/sanitizer.h"
#include "mem/written.h"

/* Poisons all shared memory except the kernel's variables and the dynamic part.  Exported segments
 * lie between the two.  They are not poisoned. */
static void poison_shared(const struct cdp_block *block, const struct cdp_abi_kernel *kernel)
{
    const char *slab = block->view.shared;
    if (block->slab.cluster != NULL) {
        cdp_sanitizer_unpoison(slab, block->slab.size);
    }
    cdp_sanitizer_poison(slab, kernel->shared_extent);
    for (uint32_t i = 0; i < kernel->shared_count; i++) {
        const struct cdp_abi_shared_variable *v = &kernel->shared_variables[i];
        cdp_sanitizer_unpoison(slab + v->offset, v->size);
    }
    if (block->slab.cluster == NULL) { /* a cluster's is poisoned except where its blocks run */
        const char *end = slab + block->slab.size;
        cdp_sanitizer_poison(end, cdp_slab_slack(block->slab.size));
    }
}

/* A cluster's blocks have one slab together. */
static bool take_slab(struct cdp_executor *executor, struct cdp_block *block, size_t size,
                      char **slab)
{
    if (CDP_UNLIKELY(cdp_grid_has_clusters(block->grid))) {
        return cdp_cluster_join(executor, block, size, slab);
    }
    *slab = cdp_slab_take(&executor->slabs, size);
    return *slab != NULL;
}

static bool set_shared(struct cdp_executor *executor, struct cdp_block *block,
                       const struct cdp_grid *grid)
{
    const struct cdp_abi_kernel *kernel = grid->kernel;
    size_t segments = cdp_engine_shared_segments(executor->engine);
    size_t fixed = kernel->shared_extent > segments ? kernel->shared_extent : segments;
    cdp_block_begin_bare(block);
    block->view.dynamic_shared_size = grid->shape.dynamic_shared;
    if (fixed + grid->shape.dynamic_shared == 0) {
        char *none;
        return CDP_LIKELY(!cdp_grid_has_clusters(block->grid)) ||
               cdp_cluster_join(executor, block, 0, &none);
    }
    size_t used = fixed;
    fixed = (fixed + 127) & ~(size_t)127;
    char *slab;
    if (!take_slab(executor, block, fixed + grid->shape.dynamic_shared, &slab)) {
        return false;
    }
    block->slab.size = block->view.shared_size = fixed + grid->shape.dynamic_shared;
    block->view.shared = slab;
    block->view.dynamic_shared = slab + fixed;
    if (CDP_UNLIKELY(executor->engine->modes.init)) {
        cdp_written_clear(slab, block->slab.size);
        cdp_written_set(slab + used, fixed - used); /* padding */
        block->slab.written = 0;
        block->view.shared_unwritten = 1;
    }
    if (CDP_ASAN) {
        poison_shared(block, kernel);
    }
    return true;
}

static void set_index(struct cdp_block *block, const struct cdp_grid *grid, uint32_t index)
{
    struct cdp_abi_block *view = &block->view;
    if (grid->shape.grid_dim[1] == 1 && grid->shape.grid_dim[2] == 1) {
        view->block_idx[0] = index;
        view->block_idx[1] = view->block_idx[2] = 0;
        return;
    }
    uint32_t rest = index / grid->shape.grid_dim[0];
    view->block_idx[0] = index % grid->shape.grid_dim[0];
    view->block_idx[1] = rest % grid->shape.grid_dim[1];
    view->block_idx[2] = rest / grid->shape.grid_dim[1];
}

static void set_order(struct cdp_executor *executor, struct cdp_block *block, uint32_t count)
{
    block->order.stride = 0;
    block->threads.direct_from = count;
    block->order.next_idx[0] = block->order.next_idx[1] = block->order.next_idx[2] = 0;
    if (CDP_UNLIKELY(executor->schedule->order_threads != NULL)) {
        executor->schedule->order_threads(executor, block);
    }
}

/* The number of the block that runs in position index. */
static uint32_t block_at(const struct cdp_executor *executor, const struct cdp_grid *grid,
                         uint32_t index)
{
    const struct cdp_schedule *schedule = executor->schedule;
    return CDP_LIKELY(schedule->block_at == NULL) ? index
                                                  : schedule->block_at(executor, grid, index);
}

/* No memory for the block: the grid's launch tree fails, and the block counts as ended. */
static void fail_start(struct cdp_executor *executor, struct cdp_grid *grid)
{
    cdp_launch_memory_fault(grid, executor, "a block");
    cdp_cluster_skip(executor, grid);
    if (cdp_grid_block_ended(executor, grid)) {
        cdp_grid_complete(executor, grid);
    }
}

/* Threads need records of warps for warp operations.  Block entries need none.  With them, each end
 * of a thread calls cdp_block_thread_ended_slowly, so a block that is recorded has them, too. */
bool cdp_block_has_its_warps(struct cdp_block *block)
{
    bool needs_none =
        (block->grid->kernel->flags & CDP_KERNEL_WARP_OPS) == 0 && !cdp_steps_has(block);
    return needs_none || block->warps != NULL || cdp_warps_create(block);
}

void cdp_block_fail(struct cdp_block *block)
{
    cdp_fault_set(block->executor->engine, cdp_grid_device(block->grid), CDP_NO_MEMORY,
                  "no memory for a block of kernel %s", block->grid->kernel->name);
}

/* The blocks of a failed tree end without running. */
static void skip_threads(struct cdp_block *block)
{
    block->threads.next = block->view.thread_count;
    block->threads.alive = 0;
}

void cdp_block_start(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t index)
{
    struct cdp_block *block = cdp_block_take(executor);
    if (CDP_UNLIKELY(block == NULL)) {
        fail_start(executor, grid);
        return;
    }
    uint32_t threads =
        (uint32_t)grid->shape.block_dim[0] * grid->shape.block_dim[1] * grid->shape.block_dim[2];
    cdp_block_begin(block, grid, threads);
    set_index(block, grid, block_at(executor, grid, index));
    set_order(executor, block, threads);
    if (CDP_UNLIKELY(cdp_steps_is_on) &&
        !cdp_engine_device_has_failed(executor->engine, cdp_grid_device(grid))) {
        cdp_steps_block_starts(block);
    }
    executor->blocks.resident++;
    executor->current = block;
    if (CDP_UNLIKELY(cdp_grid_is_profiled(grid))) {
        cdp_profile_runs(grid, executor->worker.index);
    }
    bool ok = set_shared(executor, block, grid) &&
              (cdp_block_uses_entry(block) || cdp_block_has_its_warps(block));
    if (CDP_UNLIKELY(!ok)) {
        cdp_block_fail(block);
    }
    if (cdp_engine_device_has_failed(executor->engine, cdp_grid_device(grid))) {
        skip_threads(block);
    }
    if (CDP_UNLIKELY(executor->engine->modes.races)) {
        cdp_races_block_starts(block);
    }
    CDP_CHECK_VALID(cdp_block_is_valid(block));
}
