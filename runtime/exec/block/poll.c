/* The policy for blocks that poll: when they give way to other blocks.
 *
 * The runtime cannot know which thread a polling thread waits for.  So it tries each possibility
 * for about as much time as it costs:
 *
 *   - its own block's threads first, in turn.  A block of many threads polls as often as one warp
 *     would, and the other threads poll after the block has given way.  It polls longer if threads
 *     end meanwhile;
 *   - then the worker's other blocks, and for as long as the block has polled other work.  A block
 *     that polls again without success gives way sooner each time, also after a barrier;
 *   - blocks that have not started: they need stacks for all of their threads that wait.  So before
 *     each of them starts, the worker polls for about as long as the start of the last one took.
 *     Meanwhile, another worker may satisfy the polling threads.  A lone worker starts none while
 *     the blocks of clusters make progress by themselves: otherwise every turn would add a block,
 *     and none would end.
 *
 * After a block has given way with all of its threads started, other blocks of its kernel hold:
 * they start only one warp.  They start the rest when no thread of the warp polls, or after many
 * visits without success.
 *
 * If other threads share the processor, polling slows them down.  So a polling worker sometimes
 * yields the processor. */
#include "exec/block/poll.h"

#include "exec/block/executor.h"
#include "exec/block/warp.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/valid.h"
#include "os/cpu.h"
#include "os/os.h"

/* A block that holds, with one warp, has less patience than usual.  With LEAST_PATIENCE, the
 * threads of a warp poll for a few times as long as a visit takes. */
enum { LEAST_PATIENCE = 4, PATIENCE_OF_A_WARP = 64 };
/* More threads do not poll more before the block gives way.  They take turns from visit to visit.
 */
enum { MOST_COUNTED = CDP_LANES };
/* A barrier after polls counts as much as many without, until the block gives way: a reduction
 * passes ten barriers for each poll. */
enum { A_ROUND = 64, MOST_ROUNDS = 1024 };
/* The limit for blocks that hold, because each needs shared memory. */
enum { MOST_HOLDING = 1024 };
/* Visits before the worker yields the processor: few if other workers share it. */
enum { VISITS_ON_SHARED_CPU = 16, VISITS_ON_CPU = 4096 };
/* Time is counted in polls, not by a clock: a worker also waits for the processor.  A new stack for
 * a thread takes as long as POLLS_FOR_A_STACK polls. */
enum { TICKS_OF_A_POLL = 16, POLLS_FOR_A_STACK = 512 };
/* Passes of a lone worker before other work is begun, although the polling blocks make progress:
 * they may be those of a cluster that passes its barrier while it polls for a block that has not
 * started.
 */
enum { MOST_PASSES_WITH_PROGRESS = 64 };
/* In ticks.  A longer turn of a polling block was no wait, or the worker itself waited for the
 * processor. */
enum { LONGEST_TURN = 100000 };
enum { LONGEST_WAIT = POLLS_FOR_A_STACK * CDP_MOST_THREADS };

void cdp_poll_release(struct cdp_block *block)
{
    if (block->flags.holds) {
        block->flags.holds = false;
        block->threads.may_start = block->view.thread_count;
        block->executor->blocks.polls.holding--;
    }
}

static bool may_hold(const struct cdp_executor *executor, const struct cdp_block *block)
{
    const struct cdp_polls *polls = &executor->blocks.polls;
    return block->grid->kernel == polls->kernel && block->order.stride == 0 &&
           polls->holding < MOST_HOLDING;
}

/* Makes the block hold: the threads after the current warp do not start for now. */
static void hold(struct cdp_executor *executor, struct cdp_block *block)
{
    uint32_t end = (block->threads.next + CDP_LANES - 1) / CDP_LANES * CDP_LANES;
    if (end < block->view.thread_count && may_hold(executor, block)) {
        block->threads.may_start = end;
        block->flags.holds = true;
        block->poll.patience = PATIENCE_OF_A_WARP;
        block->poll.limit = PATIENCE_OF_A_WARP;
        if (executor->blocks.polls.holding++ == 0) {
            executor->blocks.polls.released = executor->blocks.polls.polled;
        }
    }
}

/* The number of threads that can run, including the calling one, at most MOST_COUNTED. */
static uint32_t count_runnable(const struct cdp_block *block)
{
    uint32_t count = 1 + block->threads.may_start - block->threads.next;
    count += block->flags.uses_ring ? (uint32_t)(block->ring.end - block->ring.at) : 0;
    for (const struct cdp_fiber *fiber = block->ready.head; fiber != NULL && count < MOST_COUNTED;
         fiber = fiber->next) {
        count++;
    }
    return count < MOST_COUNTED ? count : MOST_COUNTED;
}

/* A thread has ended since the limit was last reached.  So the threads that poll may wait for each
 * other. */
static bool has_progress(struct cdp_block *block)
{
    struct cdp_polling *poll = &block->poll;
    uint16_t before = poll->alive;
    poll->alive = (uint16_t)block->threads.alive;
    return before != 0 && before != poll->alive;
}

/* Whether the threads that can run have polled often enough.  Threads that wait are not counted. */
static bool has_polled_enough(struct cdp_block *block)
{
    struct cdp_polling *poll = &block->poll;
    poll->limit = poll->patience * count_runnable(block);
    if (poll->yields < poll->limit) {
        return false;
    }
    if (poll->yields < UINT32_MAX / 2 && has_progress(block)) {
        poll->yields = 0;
        return false;
    }
    return true;
}

/* Whether the blocks have polled for as long as the start of this number of threads takes. */
static bool has_held_enough(const struct cdp_polls *polls, uint32_t threads)
{
    return polls->polled - polls->released >= (uint64_t)threads * POLLS_FOR_A_STACK;
}

/* Updates the policy after the block has polled without success. */
static void learn(struct cdp_polls *polls, struct cdp_block *block)
{
    struct cdp_polling *poll = &block->poll;
    uint32_t left = block->view.thread_count - block->threads.next;
    /* No more than the limit: cdp_poll_give_way sets it without polls. */
    polls->polled += poll->yields < poll->limit ? poll->yields : poll->limit;
    poll->yields = 0;
    poll->rounds = 0;
    poll->is_released = false;
    poll->gave_way = true;
    if (poll->patience > LEAST_PATIENCE) {
        poll->patience /= 2;
    }
    poll->limit = poll->patience;
    if (left == 0) {
        polls->kernel = block->grid->kernel;
    } else if (block->flags.holds && has_held_enough(polls, left)) {
        polls->released = polls->polled;
        cdp_poll_release(block);
        poll->is_released = true;
    }
    polls->is_joined |= !block->flags.polls && cdp_polls_any(polls);
    block->flags.polls = true;
}

static void reset(struct cdp_block *block)
{
    /* It waited for the released threads, and not for other blocks. */
    if (CDP_UNLIKELY(block->poll.is_released)) {
        block->executor->blocks.polls.kernel = NULL;
    }
    cdp_polling_reset(&block->poll);
}

/* How long the threads poll after a barrier.  If the last wait ended after the block had given way,
 * the next one may, too. */
static uint16_t next_patience(const struct cdp_polling *poll)
{
    bool grows = !poll->gave_way && poll->yields != 0 && poll->patience < CDP_POLL_PATIENCE;
    return grows ? (uint16_t)(2 * poll->patience) : poll->patience;
}

/* Many barriers with polls before them: the next poll gives way.  Otherwise no poll would, because
 * each barrier forgets the polls before it. */
void cdp_poll_passed_barrier(struct cdp_block *block)
{
    uint16_t rounds = block->poll.rounds, patience = next_patience(&block->poll);
    if (rounds < MOST_ROUNDS && block->poll.yields != 0) {
        rounds += A_ROUND;
    } else if (rounds != 0 && rounds < MOST_ROUNDS) {
        rounds--;
    }
    reset(block);
    block->poll.rounds = rounds;
    block->poll.patience = patience;
    block->poll.limit = patience;
    if (CDP_UNLIKELY(rounds >= MOST_ROUNDS)) {
        block->poll.yields = UINT32_MAX - 1;
    }
}

void cdp_poll_progressed(struct cdp_block *block)
{
    block->executor->blocks.polls.has_progress = true;
    reset(block);
}

static void give_way(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_polls *polls = &executor->blocks.polls;
    learn(polls, block);
    if (block->converge.head != NULL) {
        cdp_warp_release_converged(block); /* the polling threads may wait for these threads */
    }
    executor->current = NULL;
    executor->schedule->resume_polling(executor, block);
}

void cdp_polls_add(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_polls *polls = &executor->blocks.polls;
    block->next = polls->later;
    polls->later = block;
}

void cdp_poll_leave(struct cdp_executor *executor, struct cdp_block *block, struct cdp_fiber *self,
                    struct cdp_fiber_queue *queue)
{
    cdp_fiber_push(queue, self);
    give_way(executor, block);
    cdp_fiber_switch(self, cdp_executor_idle_fiber(executor));
}

void cdp_poll_in_turn(struct cdp_executor *executor, struct cdp_block *block,
                      struct cdp_fiber *self)
{
    if (CDP_UNLIKELY(block->poll.yields >= block->poll.limit) && has_polled_enough(block)) {
        cdp_poll_leave(executor, block, self, &block->ready);
        return;
    }
    if (CDP_UNLIKELY(block->threads.next < block->threads.may_start)) {
        hold(executor, block);
    }
    if (cdp_block_has_ready(block) || block->threads.next < block->threads.may_start) {
        struct cdp_fiber *next = cdp_executor_next_fiber(executor, block);
        cdp_fiber_push(&block->ready, self);
        cdp_fiber_switch(self, next);
    }
}

void cdp_poll_yield(struct cdp_executor *executor, struct cdp_fiber *self)
{
    struct cdp_block *block = cdp_block_of(&self->thread);
    CDP_CHECK_VALID(block != executor->blocks.inside); /* its threads wait for nothing */
    block->poll.yields++;
    executor->schedule->poll(executor, block, self);
}

void cdp_poll_give_way(struct cdp_executor *executor, struct cdp_fiber *self)
{
    cdp_block_of(&self->thread)->poll.yields = UINT32_MAX - 1;
    cdp_poll_yield(executor, self);
}

/* ---- Choice between polling blocks and other work ---- */

void cdp_polls_init(struct cdp_executor *executor)
{
    bool is_shared = executor->engine->pool.count > cdp_os_cpu_count();
    executor->blocks.polls.visits_in_a_row = is_shared ? VISITS_ON_SHARED_CPU : VISITS_ON_CPU;
}

/* The work that was begun last polls now, too.  No other work is begun for as long as its start
 * took. */
static void begin_wait(struct cdp_polls *polls)
{
    uint64_t took = (cdp_os_ticks() - polls->began) / TICKS_OF_A_POLL;
    polls->waits_until = polls->polled + (took < LONGEST_WAIT ? took : LONGEST_WAIT);
    polls->is_joined = false;
}

static bool makes_progress(const struct cdp_polls *polls)
{
    return (polls->has_progress || polls->had_progress) &&
           polls->passes < MOST_PASSES_WITH_PROGRESS;
}

/* Polling blocks and other work take turns of the same time.  Much of the other work may be tiny,
 * as in a tree of launches. */
static bool takes_turn(struct cdp_polls *polls)
{
    uint64_t now = cdp_os_ticks();
    uint64_t since = now - polls->turn;
    if (!polls->is_turn && since < polls->took) {
        return false;
    }
    if (polls->is_turn) {
        polls->took = since < LONGEST_TURN ? since : LONGEST_TURN;
    }
    polls->turn = now;
    polls->is_turn = !polls->is_turn;
    return polls->is_turn;
}

bool cdp_poll_has_turn(struct cdp_executor *executor)
{
    struct cdp_polls *polls = &executor->blocks.polls;
    if (executor->alone && makes_progress(polls)) {
        return true;
    }
    /* A lone worker must begin other work, because no other worker can help. */
    if (polls->is_joined && !executor->alone) {
        begin_wait(polls);
    }
    if (polls->polled < polls->waits_until) {
        return true;
    }
    return takes_turn(polls);
}

struct cdp_block **cdp_poll_next(struct cdp_executor *executor)
{
    struct cdp_polls *polls = &executor->blocks.polls;
    if (polls->now == NULL) {
        polls->now = polls->later;
        polls->later = NULL;
        polls->had_progress = polls->has_progress;
        polls->has_progress = false;
        polls->passes++;
    }
    if (++polls->visits % polls->visits_in_a_row == 0) {
        cdp_os_leave_cpu();
    }
    return &polls->now;
}

void cdp_poll_begin_other(struct cdp_executor *executor)
{
    executor->blocks.polls.passes = 0;
    if (!executor->alone) {
        executor->blocks.polls.began = cdp_os_ticks();
    }
}
