/* Batches of a grid's blocks: their sizes, and the sizes of their parts. */
#include "exec/block/batch.h"

#include "exec/block/plain.h"
#include "exec/block/start.h"
#include "exec/launch/grid.h"
#include "exec/launch/pace.h"
#include "exec/report/profile.h"
#include "exec/report/stats.h"
#include "exec/state/engine.h"
#include "os/os.h"

/* Keeps the first blocks, at most most.  Offers the rest in halves, the last half first.  So this
 * worker continues with the next blocks, and thieves take large parts from the end.  They may take
 * all of them, because this worker will not use its deque for a while. */
static uint32_t offer_far_ones(struct cdp_executor *executor, struct cdp_offer range, uint32_t most)
{
    while (range.last - range.first > most) {
        uint32_t half = (range.last - range.first) / 2;
        struct cdp_offer far = range;
        far.first = range.last = range.first + (half > most ? half : most);
        cdp_grid_offer_range(executor, far);
    }
    cdp_deque_share(&executor->worker.deque);
    return range.last;
}

/* In ticks (some thousand per microsecond). */
#define FOR_EVER (UINT64_MAX / 2)
enum { SHORT = 2500, PART = 4 * SHORT, BATCH = 32 * SHORT };
/* Other workers cannot take blocks from a call of a block entry.  So one call runs at most
 * MOST_AT_ONCE blocks, and at most 1 / PART_OF_SHARE of the blocks per worker.  The next blocks may
 * take much longer than those before.  If one worker keeps the grid, a call runs at most 1 /
 * PART_OF_KEPT of it, or all of it if all of it takes less than PART. */
enum { MOST_AT_ONCE = 64, PART_OF_SHARE = 4, PART_OF_KEPT = 8 };
/* The time of a part of fewer blocks is no good estimate. */
enum { LEAST_TO_LEARN = 4 };
/* If a call ended early, the next blocks are likely to call the runtime, too. Then this many parts
 * of one block follow. */
enum { PARTS_AFTER_STOP = 8 };

/* How many blocks run in that time, if some other blocks took the time took. */
static uint32_t blocks_in(uint64_t ticks, uint64_t took, uint32_t blocks)
{
    uint64_t count = took == 0 ? UINT32_MAX / 4 : ticks * blocks / took;
    return count == 0 ? 1 : count < UINT32_MAX / 4 ? (uint32_t)count : UINT32_MAX / 4;
}

/* Whether one worker should run all blocks of a grid that it keeps without a pause. */
static bool is_one_part(const struct cdp_executor *executor, const struct cdp_grid *grid)
{
    uint64_t took = cdp_pace_alone(executor->engine->paces, grid);
    return took != 0 && took <= PART;
}

static uint32_t most_at_once(const struct cdp_executor *executor, const struct cdp_grid *grid,
                             bool keeps)
{
    uint32_t parts = !keeps                        ? PART_OF_SHARE * executor->worker.pool->count
                     : is_one_part(executor, grid) ? 1
                                                   : PART_OF_KEPT;
    uint32_t most = grid->shape.block_count / parts;
    bool is_one = !executor->schedule->is_natural; /* the schedule orders single blocks */
    return most == 0 || is_one ? 1 : most < MOST_AT_ONCE ? most : MOST_AT_ONCE;
}

/* How many blocks a batch may have.  For a grid that this worker has already run blocks of: as many
 * as run in the time BATCH. For the next grid of the same kernel: as many as run in the time
 * SHORT. */
static uint32_t size_of_batch(const struct cdp_batch_of_blocks *batch,
                              const struct cdp_offer *range, uint64_t took)
{
    if (batch->ran == 0 || batch->kernel != cdp_grid_of_task(range->task)->kernel) {
        return 1;
    }
    if (batch->task != range->task || range->first == 0) {
        return batch->took_blocks != 0 ? blocks_in(SHORT, batch->took, batch->took_blocks)
                                       : blocks_in(SHORT, took, batch->ran);
    }
    uint32_t most = blocks_in(BATCH, took, batch->ran);
    return most < 2 * batch->size ? most : 2 * batch->size;
}

/* How long this worker keeps a whole grid that it is about to begin, without offering blocks. 0: it
 * does not keep the grid. */
static uint64_t time_to_keep(struct cdp_executor *executor, struct cdp_offer range, uint64_t now)
{
    struct cdp_grid *grid = cdp_grid_of_task(range.task);
    if (executor->help.brief.grid != NULL) {
        return FOR_EVER;
    }
    bool is_timed = grid->kind == CDP_GRID_HOST && !executor->alone &&
                    range.last - range.first == grid->shape.block_count &&
                    executor->schedule->is_natural;
    return is_timed ? cdp_pace_begin(executor->engine->paces, grid, now) : 0;
}

static void begin_batch(struct cdp_executor *executor, struct cdp_offer range)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    const struct cdp_grid *grid = cdp_grid_of_task(range.task);
    uint64_t now = cdp_os_ticks();
    cdp_grid_leave_batch(executor);
    uint64_t keeps = time_to_keep(executor, range, now);
    uint32_t most =
        keeps != 0 ? range.last - range.first : size_of_batch(batch, &range, now - batch->started);
    if (batch->kernel != grid->kernel) {
        batch->took_blocks = 0;
    }
    if (batch->task != range.task || range.first == 0) {
        batch->most_at_once = most_at_once(executor, grid, keeps != 0);
        batch->part = keeps != 0 && is_one_part(executor, grid) ? batch->most_at_once : 1;
        batch->in_part = batch->single_parts = 0;
    }
    range.last = offer_far_ones(executor, range, most);
    batch->left = range;
    batch->task = range.task;
    batch->kernel = grid->kernel;
    batch->patience = keeps > SHORT ? keeps : SHORT;
    batch->size = range.last - range.first;
    batch->ran = 0;
    batch->started = batch->looked = now;
}

/* Whether the batch should offer blocks: other workers find none, and the rest of the batch may
 * take long. */
static bool should_share(const struct cdp_executor *executor)
{
    return !executor->alone && cdp_deque_seems_empty(&executor->worker.deque) &&
           cdp_os_ticks() - executor->batch.started > executor->batch.patience;
}

void cdp_grid_run_batch(struct cdp_executor *executor)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    struct cdp_offer *left = &batch->left;
    struct cdp_grid *grid = cdp_grid_of_task(left->task);
    uint32_t at = left->first++;
    batch->ran++;
    if (left->first == left->last) {
        left->task = NULL;
    } else if (should_share(executor)) {
        left->last = offer_far_ones(executor, *left, (left->last - left->first + 1) / 2);
        batch->most_at_once = most_at_once(executor, grid, false);
    }
    cdp_block_start(executor, grid, at);
    if (left->task != NULL && executor->current != NULL) {
        executor->current->flags.leads = true;
    }
}

/* The next part is twice the last one if the last one was fast, and half of it if it was slow. */
static void size_part(struct cdp_batch_of_blocks *batch)
{
    if (batch->in_part == 0) {
        return; /* the first part of the grid */
    }
    uint64_t now = cdp_os_ticks(), took = now - batch->looked;
    batch->looked = now;
    if (batch->in_part >= LEAST_TO_LEARN) {
        batch->took = took;
        batch->took_blocks = batch->in_part;
    }
    if (batch->single_parts != 0) {
        batch->single_parts--;
    } else if (took > PART) {
        batch->part = (batch->part + 1) / 2;
    } else if (2 * batch->part <= batch->most_at_once) {
        batch->part *= 2;
    }
}

uint32_t cdp_grid_take_part(struct cdp_executor *executor, const struct cdp_block *block)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    if (!block->flags.leads || block->slab.cluster != NULL || batch->most_at_once == 1 ||
        (block->grid->kernel->flags & CDP_KERNEL_ROWS) == 0 ||
        cdp_grid_is_cooperative(block->grid)) { /* a block that waits needs the others to begin */
        return 1;
    }
    size_part(batch);
    uint32_t row = block->view.grid_dim[0] - block->view.block_idx[0];
    uint32_t all = 1 + batch->left.last - batch->left.first;
    uint32_t most = row < all ? row : all;
    batch->in_part = batch->part < most ? batch->part : most;
    uint32_t others = batch->in_part - 1;
    batch->ran += others;
    batch->ended += others;
    batch->ended_grid = block->grid;
    batch->left.first += others;
    if (batch->left.first == batch->left.last) {
        batch->left.task = NULL;
    }
    return batch->in_part;
}

/* This worker has taken no other blocks from its batch or deque since it took the part.  But the
 * call may have launched grids, and then the worker has left the batch: the blocks after the part
 * are offered to all workers, and the part's blocks are counted in the grid. */
void cdp_grid_return_part(struct cdp_executor *executor, const struct cdp_block *block,
                          uint32_t ran)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    uint32_t rest = batch->in_part - (ran == 0 ? 1 : ran);
    if (batch->left.task == NULL) {
        batch->left.task = &block->grid->task;
        batch->left.last = batch->left.first;
    }
    batch->left.first -= rest;
    batch->in_part -= rest;
    batch->ran -= rest;
    if (batch->ended >= rest) {
        batch->ended -= rest;
    } else {
        /* Relaxed: the first block is counted later, and that releases. */
        atomic_fetch_add_explicit(&block->grid->blocks_left, rest, memory_order_relaxed);
    }
    batch->part = 1;
    batch->single_parts = PARTS_AFTER_STOP;
}

void cdp_grid_run(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last)
{
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    struct cdp_grid *grid = cdp_grid_of_task(task);
    last = cdp_grid_end(grid, last);
    if (grid->plain && last - first == grid->shape.block_count && executor->direct == NULL &&
        cdp_plain_may_run(executor)) {
        executor->direct = grid; /* the loop runs it by block/plain.h */
        return;
    }
    if (CDP_UNLIKELY(cdp_grid_is_counted(grid)) && first == 0) {
        cdp_stats_started(executor, grid);
    }
    if (CDP_UNLIKELY(cdp_grid_is_profiled(grid)) && first == 0) {
        cdp_profile_began(grid);
    }
    struct cdp_offer range = cdp_grid_blocks(grid, first, last);
    if (last - first <= (executor->help.brief.grid != NULL ? 1 : CDP_FEW_BLOCKS)) {
        if (last - first > 1) {
            cdp_grid_keep_first(executor, range);
        }
        cdp_block_start(executor, grid, first);
        return;
    }
    begin_batch(executor, range);
    cdp_grid_run_batch(executor);
}
