/* Children that run inside their parent. */
#include "exec/block/inside.h"

#include "base/alloc.h"
#include "exec/launch/record.h"
#include "exec/state/trial.h"
#include "fiber/fiber.h"

/* The stack that a block entry may need (tools/cdpcc/simd/plan/slots.h), with a margin. */
enum { LEAST_STACK = 192 << 10 };

bool cdp_inside_init(struct cdp_executor *executor)
{
    if (!executor->plain || executor->engine->modes.by_thread) {
        return true;
    }
    struct cdp_block *block = cdp_alloc_zero(sizeof *block);
    if (block == NULL) {
        return false;
    }
    block->executor = executor;
    for (int i = 0; i < 3; i++) {
        block->view.grid_dim[i] = block->view.block_dim[i] = 1;
    }
    executor->blocks.inside = block;
    return true;
}

void cdp_inside_finish(struct cdp_executor *executor)
{
    cdp_free(executor->blocks.inside);
}

static void fill_block(struct cdp_block *block, struct cdp_grid *grid,
                       const struct cdp_plain_launch *launch)
{
    block->view.kernel = launch->kernel;
    block->view.thread_count = launch->threads;
    block->view.block_dim[0] = launch->threads;
    block->view.grid_dim[0] = launch->blocks;
    block->view.block_idx[0] = 0;
    block->view.depth = grid->shape.depth;
    block->grid = grid;
}

/* The threads wait for nothing, so each is one call. */
static void run_threads(struct cdp_block *block, struct cdp_abi_thread *self, const void *params)
{
    void (*entry)(const void *params) = block->view.kernel->thread_entry;
    uint32_t blocks = block->view.grid_dim[0], threads = block->view.thread_count;
    uint32_t failed = self->launch_failed; /* of the launching thread */
    self->thread_idx[1] = self->thread_idx[2] = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        block->view.block_idx[0] = i;
        self->launch_failed = 0;
        for (uint32_t t = 0; t < threads && self->launch_failed != CDP_THREADS_RETURN; t++) {
            self->thread_idx[0] = self->linear = t;
            entry(params);
        }
    }
    self->launch_failed = failed;
}

/* Runs the child on the context self, which shows its block.  False: it has done nothing. */
static bool run(struct cdp_block *block, struct cdp_abi_thread *self, bool by_thread)
{
    const struct cdp_abi_kernel *kernel = block->view.kernel;
    const void *params = cdp_grid_params(block->grid);
    block->flags.is_whole = !by_thread;
    if (by_thread) {
        run_threads(block, self, params);
        return true;
    }
    self->active_threads = 0;
    return kernel->block_entry(params, &block->view, block->view.grid_dim[0]) != 0;
}

enum way { BY_BLOCK, BY_THREAD, UNKNOWN };

/* How the child runs.  UNKNOWN: its kernel's trial is not decided yet, a thread might wait, or the
 * stack may be too small. */
static enum way way_of(const struct cdp_plain_launch *launch)
{
    const struct cdp_abi_kernel *kernel = launch->kernel;
    bool may_be_by_thread =
        (kernel->flags & CDP_KERNEL_NEVER_WAITS) != 0 && kernel->thread_entry != NULL;
    if (launch->threads < CDP_ABI_FEWEST_AT_ONCE) {
        return may_be_by_thread ? BY_THREAD : UNKNOWN;
    }
    if ((kernel->flags & CDP_KERNEL_LARGE_LOCALS) != 0) {
        return UNKNOWN;
    }
    if ((kernel->flags & CDP_KERNEL_UNSURE) == 0) {
        return BY_BLOCK;
    }
    switch (atomic_load_explicit(cdp_trial_decision(kernel), memory_order_relaxed)) {
    case CDP_TRIAL_BLOCK:
        return BY_BLOCK;
    case CDP_TRIAL_THREADS:
        return may_be_by_thread ? BY_THREAD : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

bool cdp_inside_run(struct cdp_block *parent, struct cdp_grid *grid,
                    const struct cdp_plain_launch *launch)
{
    struct cdp_executor *executor = parent->executor;
    struct cdp_block *block = executor->blocks.inside;
    struct cdp_abi_thread *self = cdp_abi_self;
    enum way way = way_of(launch);
    char *here = __builtin_frame_address(0);
    if (way == UNKNOWN || here - cdp_fiber_of(self)->low < LEAST_STACK) {
        return false;
    }
    cdp_plain_describe(grid, parent, launch); /* for reports */
    grid->order = CDP_ORDER_NONE;
    fill_block(block, grid, launch);
    /* Saves only the fields of the context that the child changes. */
    uint32_t x = self->thread_idx[0], y = self->thread_idx[1], z = self->thread_idx[2];
    uint32_t linear = self->linear, active = self->active_threads;
    self->block = &block->view;
    bool ran = run(block, self, way == BY_THREAD);
    self->block = &parent->view;
    self->thread_idx[0] = x, self->thread_idx[1] = y, self->thread_idx[2] = z;
    self->linear = linear;
    self->active_threads = active;
    if (ran) {
        parent->children.buffers = cdp_grid_linked(grid);
        cdp_grid_give(executor, grid);
    }
    return ran;
}
