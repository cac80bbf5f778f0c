/* The natural and the shuffled schedule. */
#include "exec/loop/schedule.h"

#include "exec/block/executor.h"
#include "exec/block/poll.h"
#include "exec/state/engine.h"
#include "os/os.h"

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static struct cdp_shuffle make_shuffle(uint64_t random, uint32_t count)
{
    struct cdp_shuffle shuffle = {.stride = (uint32_t)(random >> 8) % count,
                                  .offset = (uint32_t)(random >> 40) % count};
    while (shuffle.stride == 0 || greatest_common_divisor(shuffle.stride, count) != 1) {
        shuffle.stride = shuffle.stride + 1 < count ? shuffle.stride + 1 : 1;
    }
    return shuffle;
}

static uint64_t read_clock(struct cdp_executor *executor)
{
    struct cdp_engine *engine = executor->engine;
    uint64_t clocks = cdp_clock_read(&engine->clock);
    uint32_t khz = engine->devices[cdp_grid_device(cdp_block_of(cdp_abi_self)->grid)].clock_khz;
    return CDP_LIKELY(khz == CDP_CLOCK_KHZ)
               ? clocks
               : (uint64_t)((unsigned __int128)clocks * khz / CDP_CLOCK_KHZ);
}

static uint64_t wall_clock(struct cdp_executor *executor)
{
    (void)executor;
    return cdp_os_wall_clock();
}

const struct cdp_schedule cdp_schedule_natural = {
    .is_natural = true,
    .resume = cdp_executor_append_resumable,
    .resume_polling = cdp_polls_add,
    .poll = cdp_poll_in_turn,
    .clock = read_clock,
    .wall_clock = wall_clock,
};

/* ---- CDP_SEED with CDP_SCHEDULE=free ---- */

/* Pops the newest or the oldest offer, by chance. */
static bool pop(struct cdp_executor *executor, struct cdp_offer *out)
{
    struct cdp_worker *worker = &executor->worker;
    if ((cdp_worker_random(worker) & 1) && cdp_deque_pop_oldest(&worker->deque, out)) {
        return true;
    }
    return cdp_worker_pop(worker, out);
}

void cdp_schedule_shuffle_threads(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_shuffle shuffle =
        make_shuffle(cdp_worker_random(&executor->worker), block->view.thread_count);
    block->order.stride = shuffle.stride;
    block->order.offset = shuffle.offset;
}

/* All workers must choose the same order.  So it depends only on the seed and the grid. */
static uint32_t block_at(const struct cdp_executor *executor, const struct cdp_grid *grid,
                         uint32_t index)
{
    uint32_t count = grid->shape.block_count;
    if (count == 1) {
        return index;
    }
    uint64_t random =
        (executor->engine->options->seed + (uint64_t)grid->shape.depth) * 0x9e3779b97f4a7c15u;
    struct cdp_shuffle shuffle = make_shuffle(random ^ random >> 29, count);
    return (uint32_t)((shuffle.offset + (uint64_t)index * shuffle.stride) % count);
}

const struct cdp_schedule cdp_schedule_shuffled = {
    .pop = pop,
    .block_at = block_at,
    .resume = cdp_executor_append_resumable,
    .resume_polling = cdp_polls_add,
    .order_threads = cdp_schedule_shuffle_threads,
    .poll = cdp_poll_in_turn,
    .clock = read_clock,
    .wall_clock = wall_clock,
};
