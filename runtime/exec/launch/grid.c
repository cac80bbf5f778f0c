/* Launch records and completion. */
#include "exec/state/grid.h"

#include <string.h>

#include "exec/state/block.h"
#include "exec/launch/chain.h"
#include "exec/loop/engine.h"
#include "exec/state/executor.h"
#include "exec/report/fault.h"
#include "exec/block/plain.h"
#include "exec/launch/scope.h"
#include "exec/report/stats.h"
#include "os/os.h"
#include "sched/park.h"

#if CDP_ASAN
#include <sanitizer/lsan_interface.h>
#endif

enum { CHUNK = 1 << 20 };

unsigned cdp_grid_class_of(size_t param_size)
{
    if (CDP_LIKELY(param_size <= CDP_GRID_SMALLEST_PARAMS)) {
        return 0;
    }
    unsigned class = 1;
    while (class < CDP_GRID_CLASSES && ((size_t)CDP_GRID_SMALLEST_PARAMS << class) < param_size) {
        class++;
    }
    return class;
}

static struct cdp_grid *cut(struct cdp_grid_source *source, unsigned class)
{
    size_t bytes =
        sizeof(struct cdp_grid) + ((size_t)CDP_GRID_SMALLEST_PARAMS << class) + source->trailer;
    if ((size_t)(source->end - source->next) < bytes) {
        bool may = source->memory == NULL || cdp_launch_memory_take(source->memory, CHUNK);
        char *chunk = may ? cdp_os_map(CHUNK) : NULL;
        if (chunk == NULL) {
            return NULL;
        }
#if CDP_ASAN
        __lsan_register_root_region(chunk, CHUNK); /* blocks may be reachable from here only */
#endif
        source->next = chunk;
        source->end = chunk + CHUNK;
    }
    struct cdp_grid *grid = (struct cdp_grid *)source->next;
    source->next += bytes;
    return grid;
}

static struct cdp_grid *pop(struct cdp_grid_source *source, unsigned class)
{
    struct cdp_grid *grid = source->free[class];
    if (grid == NULL && source->memory != NULL) {
        grid = cdp_spares_take(&source->memory->spares, class);
    }
    if (grid != NULL) {
        source->free[class] = cdp_grid_of_task(grid->task.link);
    }
    return grid;
}

struct cdp_grid *cdp_grid_source_find(struct cdp_grid_source *source, size_t param_size)
{
    unsigned class = cdp_grid_class_of(param_size);
    if (CDP_UNLIKELY(class == CDP_GRID_CLASSES)) {
        return NULL;
    }
    struct cdp_grid *grid = pop(source, class);
    if (grid != NULL) {
        return grid;
    }
    grid = cut(source, class);
    if (CDP_LIKELY(grid != NULL)) {
        grid->size_class = (uint8_t)class;
        return grid;
    }
    /* Larger records do, which earlier launches have taken. */
    while (grid == NULL && ++class < CDP_GRID_CLASSES) {
        grid = pop(source, class);
    }
    return grid;
}

static bool has_too_many(const struct cdp_grid *list)
{
    unsigned count = 0;
    while (list != NULL && count < CDP_SPARE_KEPT) {
        list = cdp_grid_of_task(list->task.link);
        count++;
    }
    return count == CDP_SPARE_KEPT;
}

void cdp_grids_spare(struct cdp_executor *executor)
{
    struct cdp_grid_source *source = &executor->grids;
    for (unsigned class = 0; class < CDP_GRID_CLASSES; class++) {
        while (has_too_many(source->free[class])) {
            void *list = source->free[class];
            cdp_spares_give(&source->memory->spares, class, &list);
            source->free[class] = list;
        }
    }
}

void cdp_grid_lock(struct cdp_grid *grid)
{
    /* Held for a few instructions by threads that never suspend meanwhile.  Acquire
     * pairs with the release in unlock: what the lock guards. */
    while (atomic_exchange_explicit(&grid->lock, 1, memory_order_acquire) != 0) {
        cdp_os_pause();
    }
}

void cdp_grid_unlock(struct cdp_grid *grid)
{
    atomic_store_explicit(&grid->lock, 0, memory_order_release);
}

/* No memory to keep part of a grid whose first block is still to run: its tree fails,
 * and the blocks count as ended without running, as those of any failed tree. */
static void drop(struct cdp_executor *executor, struct cdp_offer range)
{
    struct cdp_grid *grid = cdp_grid_of_task(range.task);
    cdp_fault_set(executor->engine, CDP_NO_MEMORY, "no memory to queue the blocks of kernel %s",
                  grid->kernel->name);
    /* Relaxed: the block that runs now comes after, and releases. */
    atomic_fetch_sub_explicit(&grid->blocks_left, range.last - range.first, memory_order_relaxed);
}

/* When the deque has no memory to grow, keeps it for this worker. */
void cdp_grid_offer_range(struct cdp_executor *executor, struct cdp_offer range)
{
    if (CDP_LIKELY(cdp_worker_push(&executor->worker, range))) {
        return;
    }
    if (executor->overflow_count < CDP_OVERFLOW) {
        executor->overflow[executor->overflow_count++] = range;
    } else {
        drop(executor, range);
    }
}

/* Takes blocks off the grid's count; true if they were its last. */
static bool count_off(struct cdp_grid *grid, uint32_t blocks)
{
    /* Release: these blocks' work; acquire, for the last: everybody's. */
    return atomic_fetch_sub_explicit(&grid->blocks_left, blocks, memory_order_acq_rel) == blocks;
}

/* What the batch has counted itself: never the last of their grid. */
static void settle_batch(struct cdp_batch_of_blocks *batch)
{
    if (batch->ended != 0) {
        (void)count_off(batch->ended_grid, batch->ended);
        batch->ended = 0;
    }
}

/* Something newer than what is left of the batch comes first. */
static void leave_batch(struct cdp_executor *executor)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    settle_batch(batch);
    if (batch->left.task != NULL) {
        struct cdp_offer left = batch->left;
        batch->left.task = NULL;
        cdp_grid_offer_range(executor, left);
    }
}

void cdp_grid_push(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_offer whole = {.task = &grid->task, .first = 0, .last = grid->block_count};
    if (CDP_UNLIKELY(executor->batch.left.task != NULL)) {
        leave_batch(executor);
    }
    if (CDP_UNLIKELY(!cdp_worker_push(&executor->worker, whole))) {
        cdp_pool_inject(executor->worker.pool, &grid->task); /* needs no memory */
    }
}

/* Keeps the first blocks, at most so many; offers the rest in halves, the far one first, so
 * that this worker goes on with the next blocks and thieves take large parts from the end, all
 * of them if they like: it will not come back to its deque for a while. */
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

void cdp_grid_keep_first(struct cdp_executor *executor, struct cdp_offer range)
{
    if (CDP_UNLIKELY(executor->batch.left.task != NULL)) {
        leave_batch(executor);
    }
    for (uint32_t first = range.first; range.last - first > 1; range.last = range.first) {
        range.first = first + (range.last - first) / 2;
        cdp_grid_offer_range(executor, range);
    }
}

/* In ticks, of which there are some thousand in a microsecond. */
#define FOR_EVER (UINT64_MAX / 2)
enum { SHORT = 2500, PART = 4 * SHORT, BATCH = 32 * SHORT };
/* In one call of a block entry, which nobody can take any from: at most so many, and at most
 * this part of what each worker would get, as the next may take much longer than those before;
 * and of a grid that one had better run alone, this part. */
enum { MOST_AT_ONCE = 64, PART_OF_SHARE = 4, PART_OF_KEPT = 8 };
/* A part of fewer blocks says little. */
enum { LEAST_TO_LEARN = 4 };

/* Blocks that take the time if they take as long as some others did. */
static uint32_t blocks_in(uint64_t ticks, uint64_t took, uint32_t blocks)
{
    uint64_t count = took == 0 ? UINT32_MAX / 4 : ticks * blocks / took;
    return count == 0 ? 1 : count < UINT32_MAX / 4 ? (uint32_t)count : UINT32_MAX / 4;
}

static uint32_t most_at_once(const struct cdp_executor *executor, const struct cdp_grid *grid,
                             bool keeps)
{
    uint32_t parts = keeps ? PART_OF_KEPT : PART_OF_SHARE * executor->worker.pool->count;
    uint32_t most = grid->block_count / parts;
    bool is_one = executor->engine->options->seed != 0; /* each block has its own place */
    return most == 0 || is_one ? 1 : most < MOST_AT_ONCE ? most : MOST_AT_ONCE;
}

/* How many blocks this worker may keep to itself for a while: of a grid that it has begun, what
 * takes a batch's time; of the next one of the same kernel, a part's. */
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

/* How long this worker keeps a whole grid to itself that it is about to begin; 0: it does not. */
static uint64_t time_to_keep(struct cdp_executor *executor, struct cdp_offer range, uint64_t now)
{
    struct cdp_grid *grid = cdp_grid_of_task(range.task);
    if (executor->brief.grid != NULL) {
        return FOR_EVER;
    }
    bool is_timed = grid->kind == CDP_GRID_HOST && !executor->alone &&
                    range.last - range.first == grid->block_count &&
                    executor->engine->options->seed == 0;
    return is_timed ? cdp_pace_begin(executor->engine->paces, grid, now) : 0;
}

static void begin_batch(struct cdp_executor *executor, struct cdp_offer range)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    const struct cdp_grid *grid = cdp_grid_of_task(range.task);
    uint64_t now = cdp_os_ticks();
    leave_batch(executor);
    uint64_t keeps = time_to_keep(executor, range, now);
    uint32_t most =
        keeps != 0 ? range.last - range.first : size_of_batch(batch, &range, now - batch->started);
    if (batch->kernel != grid->kernel) {
        batch->took_blocks = 0;
    }
    if (batch->task != range.task || range.first == 0) {
        batch->part = 0;
        batch->most_at_once = most_at_once(executor, grid, keeps != 0);
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

/* Others have nothing to take, and the rest of the batch may take long. */
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
        executor->current->leads = true;
    }
}

/* The next part is twice the last one, if that took little time. */
static void size_part(struct cdp_batch_of_blocks *batch)
{
    uint64_t now = cdp_os_ticks(), took = now - batch->looked;
    batch->looked = now;
    if (batch->part == 0) {
        batch->part = 1;
        return;
    }
    if (batch->in_part >= LEAST_TO_LEARN) {
        batch->took = took;
        batch->took_blocks = batch->in_part;
    }
    if (took > PART) {
        batch->part = (batch->part + 1) / 2;
    } else if (2 * batch->part <= batch->most_at_once) {
        batch->part *= 2;
    }
}

uint32_t cdp_grid_take_part(struct cdp_executor *executor, const struct cdp_block *block)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    if (!block->leads || batch->most_at_once == 1 ||
        (block->grid->kernel->flags & CDP_KERNEL_ROWS) == 0) {
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

void cdp_grid_return_part(struct cdp_executor *executor, const struct cdp_block *block)
{
    struct cdp_batch_of_blocks *batch = &executor->batch;
    uint32_t others = batch->in_part - 1;
    batch->ran -= others;
    batch->ended -= others;
    batch->left.task = &block->grid->task;
    batch->left.first -= others;
}

void cdp_grid_run(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last)
{
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    struct cdp_grid *grid = cdp_grid_of_task(task);
    if (last == 0) {
        last = grid->block_count;
    }
    if (grid->plain && last - first == grid->block_count && executor->direct == NULL &&
        cdp_plain_may_run(executor)) {
        executor->direct = grid; /* the loop knows a short way */
        return;
    }
    if (CDP_UNLIKELY(grid->counted) && first == 0) {
        cdp_stats_started(executor, grid);
    }
    struct cdp_offer range = {.task = task, .first = first, .last = last};
    if (last - first <= (executor->brief.grid != NULL ? 1 : CDP_FEW_BLOCKS)) {
        if (last - first > 1) {
            cdp_grid_keep_first(executor, range);
        }
        cdp_block_start(executor, grid, first);
        return;
    }
    begin_batch(executor, range);
    cdp_grid_run_batch(executor);
}

/* One of two. */
static bool half_ended(struct cdp_grid *grid)
{
    /* Acquire pairs with the release in count_off: the other's work. */
    uint32_t left = atomic_load_explicit(&grid->blocks_left, memory_order_acquire);
    if ((left & ~CDP_BOTH_HERE) == 1) {
        return true;
    }
    if ((left & CDP_BOTH_HERE) == 0) {
        return count_off(grid, 1);
    }
    atomic_store_explicit(&grid->blocks_left, left - 1, memory_order_relaxed); /* nobody reads it */
    return false;
}

bool cdp_grid_block_ended(struct cdp_executor *executor, struct cdp_grid *grid)
{
    if (grid->block_count <= 2) {
        return grid->block_count == 1 || half_ended(grid);
    }
    struct cdp_batch_of_blocks *batch = &executor->batch;
    if (batch->left.task == &grid->task) {
        batch->ended_grid = grid;
        batch->ended++;
        return false;
    }
    uint32_t blocks = 1;
    if (batch->ended != 0 && batch->ended_grid == grid) {
        blocks += batch->ended;
        batch->ended = 0;
    }
    return count_off(grid, blocks);
}

/* The oldest tail launch, with its block ready to be started; NULL if there is none.
 * All blocks have ended, so nobody appends any more. */
static struct cdp_grid *take_tail(struct cdp_grid *grid)
{
    struct cdp_grid *tail = grid->tails;
    if (tail != NULL) {
        grid->tails = tail->task.link != NULL ? cdp_grid_of_task(tail->task.link) : NULL;
    }
    return tail;
}

/* A tail that has tails: they become the next ones of the grid that it is a tail of, which would
 * complete after them in any case.  So this one is complete, and a chain of tails takes no more
 * memory the longer it gets. */
static void hand_on_tails(struct cdp_grid *grid)
{
    struct cdp_grid *owner = grid->owner;
    for (struct cdp_task *task = &grid->tails->task; task != NULL; task = task->link) {
        cdp_grid_of_task(task)->owner = owner;
    }
    if (owner->tails != NULL) {
        grid->tails_last->task.link = &owner->tails->task;
    } else {
        owner->tails_last = grid->tails_last;
    }
    owner->tails = grid->tails;
    grid->tails = NULL;
}

/* Starts the successor in the grid's stream, if there is one by now. */
static void pass_on(struct cdp_executor *executor, struct cdp_grid *grid)
{
    if (grid->order == CDP_ORDER_BLOCK) {
        struct cdp_grid *next = cdp_grid_next(executor, grid);
        if (next != NULL) {
            cdp_grid_start(executor, next);
        }
    } else if (grid->order == CDP_ORDER_NAMED) {
        cdp_device_stream_completed(executor, grid);
    }
}

/* A record came here, whose blocks may have run elsewhere: then the count of this worker's free
 * blocks does not tell that it has too many records. */
static void count_given_back(struct cdp_executor *executor)
{
    if (CDP_UNLIKELY(++executor->given_back == CDP_SPARE_KEPT)) {
        executor->given_back = 0;
        cdp_grids_spare(executor);
    }
}

static void child_at_home(struct cdp_worker *worker, struct cdp_task *task, uint32_t first,
                          uint32_t last)
{
    (void)first, (void)last;
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    struct cdp_grid *grid = cdp_block_child_done(executor, cdp_grid_of_task(task));
    count_given_back(executor);
    if (grid != NULL) {
        cdp_grid_complete(executor, grid);
    }
}

/* Tells the launching block; returns a grid that thereby became complete. */
static struct cdp_grid *complete_child(struct cdp_executor *executor, struct cdp_grid *grid)
{
    pass_on(executor, grid);
    if (grid->home == executor) {
        return cdp_block_child_done(executor, grid);
    }
    grid->task.run = child_at_home;
    cdp_worker_post(&grid->home->worker, &grid->task);
    return NULL;
}

void cdp_grid_complete(struct cdp_executor *executor, struct cdp_grid *grid)
{
    while (grid != NULL) {
        if (CDP_UNLIKELY(grid->kind == CDP_GRID_TAIL && grid->tails != NULL)) {
            hand_on_tails(grid);
        }
        struct cdp_grid *tail = take_tail(grid);
        if (tail != NULL) {
            tail->task.link = NULL;
            cdp_grid_start(executor, tail);
            return;
        }
        if (CDP_UNLIKELY(grid->scope != NULL)) {
            cdp_scope_close(executor->engine, grid);
        }
        if (CDP_UNLIKELY(grid->counted)) {
            atomic_fetch_sub(&executor->engine->pool_used, 1);
        }
        if (grid->kind == CDP_GRID_CHILD) {
            grid = complete_child(executor, grid);
        } else if (grid->kind == CDP_GRID_TAIL) {
            struct cdp_grid *owner = grid->owner;
            cdp_grid_give(executor, grid);
            count_given_back(executor);
            grid = owner;
        } else {
            if (grid->began != 0) {
                cdp_pace_end(executor->engine->paces, grid, cdp_os_ticks());
            }
            cdp_chain_step(executor, grid);
            return;
        }
    }
}
