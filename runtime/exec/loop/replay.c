/* The replayed schedule (CDP_SEED). */
#include "exec/loop/replay.h"

#include "base/alloc.h"
#include "base/random.h"
#include "exec/block/batch.h"
#include "exec/block/block.h"
#include "exec/block/completion.h"
#include "exec/block/executor.h"
#include "exec/block/poll.h"
#include "exec/block/start.h"
#include "exec/block/threads.h"
#include "exec/launch/grid.h"
#include "exec/loop/schedule.h"
#include "exec/report/profile.h"
#include "exec/report/stats.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "fiber/fiber.h"
#include "sched/task.h"
#include "sched/turn.h"

/* The probabilities of choices, in 1/256. */
struct habits {
    uint32_t give_way; /* a running thread gives way at a switch point */
    uint32_t leave;    /* the current block is left for another, although it can run */
    uint32_t begin;    /* a new thread starts, rather than a started one continuing */
    uint32_t start;    /* a new block starts, rather than a started one continuing */
    uint32_t newest;   /* the newest offer is taken, rather than a random one */
};

/* What the worker does next: with its current block, or to get one. */
enum choice { UNDECIDED, LEAVE, BEGIN, GO_ON, START, RESUME };

/* Life: that of the engine, which owns it.  Only the worker accesses it, except turn, which has a
 * lock.  Invariant: aside_count is the length of the list from aside. */
struct cdp_replay {
    struct cdp_turn turn;
    struct habits habits; /* const */
    uint64_t random;
    uint64_t clock;           /* the time of device code's clocks, in nanoseconds */
    struct cdp_offer *offers; /* blocks that have not started; owned */
    size_t offer_count, offer_capacity;
    struct cdp_block *aside, *aside_tail; /* started blocks that can continue, by next */
    uint32_t aside_count;
    uint32_t busy_count;   /* blocks of aside that do not poll */
    uint32_t busy_threads; /* the threads of these */
    enum choice choice;    /* drawn, and not yet carried out */
    bool is_fresh;         /* the current block has done nothing since it became current */
};

enum { FIRST_CAPACITY = 256 };

/* A launch tree that runs in random order can fill the memory with records or with the stacks of
 * blocks that wait.  With more than MANY_OFFERS or MANY_SUSPENDED, the newest offer runs first,
 * because a tree needs the least memory in this order.  With MANY_BUSY blocks that can continue, or
 * MANY_THREADS in them, no new block starts: each switch to a thread whose stack is no longer in
 * the caches is slow.  Blocks that poll are not counted, because they may wait for a block that has
 * not started. */
enum {
    MANY_OFFERS = 4096,
    MANY_SUSPENDED = 256,
    MANY_BUSY = 16,
    MANY_THREADS = 1024,
    FEW_BUSY = 2
};

/* The next thread, and the next block, is chosen among this many of the oldest. */
enum { WINDOW = 8 };

/* The time of a step, and of reading the clock. */
enum { STEP_NS = 100, LOOK_NS = 20 };

/* A block gives way after so many polls for each of its threads that can run. */
enum { PATIENCE = 8 };

static bool chance(struct cdp_replay *replay, uint32_t in_256)
{
    return (cdp_random_word(&replay->random) & 255) < in_256;
}

static uint32_t below(struct cdp_replay *replay, uint32_t count)
{
    return (uint32_t)(cdp_random_word(&replay->random) * count >> 32);
}

static void draw_habits(struct cdp_replay *replay)
{
    static const uint32_t give_way[] = {256, 128, 64, 16, 4}, leave[] = {4, 32, 128, 224},
                          either[] = {32, 128, 224}, newest[] = {0, 128, 240};
    for (int i = 0; i < 8; i++) {
        (void)cdp_random_word(&replay->random); /* the first numbers of small seeds are similar */
    }
    replay->habits = (struct habits){
        .give_way = give_way[below(replay, sizeof give_way / sizeof give_way[0])],
        .leave = leave[below(replay, sizeof leave / sizeof leave[0])],
        .begin = either[below(replay, sizeof either / sizeof either[0])],
        .start = either[below(replay, sizeof either / sizeof either[0])],
        .newest = newest[below(replay, sizeof newest / sizeof newest[0])],
    };
}

struct cdp_replay *cdp_replay_create(uint32_t seed)
{
    struct cdp_replay *replay = cdp_alloc_zero(sizeof *replay);
    if (replay == NULL) {
        return NULL;
    }
    replay->offers = cdp_alloc(FIRST_CAPACITY * sizeof *replay->offers);
    if (replay->offers == NULL || !cdp_turn_init(&replay->turn, seed)) {
        cdp_free(replay->offers);
        cdp_free(replay);
        return NULL;
    }
    replay->offer_capacity = FIRST_CAPACITY;
    replay->random = cdp_random_seeded(seed);
    draw_habits(replay);
    return replay;
}

void cdp_replay_destroy(struct cdp_replay *replay)
{
    if (replay != NULL) {
        cdp_turn_finish(&replay->turn);
        cdp_free(replay->offers);
        cdp_free(replay);
    }
}

static void step(struct cdp_replay *replay)
{
    replay->clock += STEP_NS;
    cdp_turn_step(&replay->turn);
}

/* ---- Blocks and tasks that have not started ---- */

static bool has_room(struct cdp_replay *replay)
{
    if (replay->offer_count < replay->offer_capacity) {
        return true;
    }
    size_t capacity = replay->offer_capacity * 2;
    struct cdp_offer *offers = cdp_realloc(replay->offers, capacity * sizeof *offers);
    if (offers != NULL) {
        replay->offers = offers;
        replay->offer_capacity = capacity;
    }
    return offers != NULL;
}

static void reverse(struct cdp_offer *first, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct cdp_offer other = first[i];
        first[i] = first[count - 1 - i];
        first[count - 1 - i] = other;
    }
}

/* Takes the offers that device code has made since the last call, oldest first.  Without memory for
 * more, the rest stays in the deque. */
static void take_offered(struct cdp_executor *executor)
{
    struct cdp_replay *replay = executor->engine->replay;
    size_t before = replay->offer_count;
    if (executor->direct != NULL && has_room(replay)) {
        replay->offers[replay->offer_count++] = cdp_offer_whole(&executor->direct->task);
        executor->direct = NULL;
    }
    while (has_room(replay) &&
           cdp_worker_pop(&executor->worker, &replay->offers[replay->offer_count])) {
        replay->offer_count++;
    }
    reverse(replay->offers + before, replay->offer_count - before);
}

/* The same for the host's launches and tasks. */
static void take_injected(struct cdp_executor *executor)
{
    struct cdp_replay *replay = executor->engine->replay;
    struct cdp_pool *pool = executor->worker.pool;
    if (cdp_mailbox_seems_empty(&pool->injected)) {
        return;
    }
    struct cdp_task *next;
    for (struct cdp_task *task = cdp_mailbox_take(&pool->injected); task != NULL; task = next) {
        next = task->link;
        if (has_room(replay)) {
            replay->offers[replay->offer_count++] = cdp_offer_whole(task);
        } else {
            cdp_pool_inject(pool, task);
        }
    }
}

static bool has_many(const struct cdp_executor *executor)
{
    return executor->engine->replay->offer_count > MANY_OFFERS ||
           executor->blocks.suspended > MANY_SUSPENDED;
}

static struct cdp_offer choose_offer(struct cdp_executor *executor)
{
    struct cdp_replay *replay = executor->engine->replay;
    if (CDP_UNLIKELY(executor->overflow.count != 0)) {
        return executor->overflow.offers[--executor->overflow.count];
    }
    uint32_t last = (uint32_t)replay->offer_count - 1, at = last;
    if (!has_many(executor) && !chance(replay, replay->habits.newest)) {
        at = below(replay, last + 1);
    }
    struct cdp_offer offer = replay->offers[at];
    replay->offers[at] = replay->offers[last];
    replay->offer_count--;
    return offer;
}

static void offer_blocks(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t first,
                         uint32_t last)
{
    if (first < last) {
        cdp_grid_offer_range(executor, cdp_grid_blocks(grid, first, last));
    }
}

/* Runs one of the blocks first to last - 1 and offers the others. */
static void run_blocks(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t first,
                       uint32_t last)
{
    if (CDP_UNLIKELY(cdp_grid_is_counted(grid)) && last - first == grid->shape.block_count) {
        cdp_stats_started(executor, grid);
    }
    if (CDP_UNLIKELY(cdp_grid_is_profiled(grid)) && last - first == grid->shape.block_count) {
        cdp_profile_began(grid);
    }
    uint32_t at =
        has_many(executor) ? first : first + below(executor->engine->replay, last - first);
    offer_blocks(executor, grid, at + 1, last);
    offer_blocks(executor, grid, first, at);
    cdp_block_start(executor, grid, at);
}

static void run_new(struct cdp_executor *executor)
{
    struct cdp_offer offer = choose_offer(executor);
    struct cdp_grid *grid = cdp_grid_of_task(offer.task);
    if (offer.task->run != cdp_grid_run) {
        cdp_offer_run(&executor->worker, offer);
    } else {
        run_blocks(executor, grid, offer.first, cdp_grid_end(grid, offer.last));
    }
}

/* ---- Started blocks ---- */

static void count_busy(struct cdp_replay *replay, const struct cdp_block *block, bool is_more)
{
    if (!block->flags.polls) {
        replay->busy_count += is_more ? 1 : -1u;
        replay->busy_threads += is_more ? block->view.thread_count : -block->view.thread_count;
    }
}

/* Adds a started block that can continue later. */
static void line_up(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_replay *replay = executor->engine->replay;
    block->next = NULL;
    if (replay->aside != NULL) {
        replay->aside_tail->next = block;
    } else {
        replay->aside = block;
    }
    replay->aside_tail = block;
    replay->aside_count++;
    count_busy(replay, block, true);
}

/* Removes a random one of the oldest. */
static struct cdp_block *pick_aside(struct cdp_replay *replay)
{
    struct cdp_block *before = NULL, *block = replay->aside;
    uint32_t count = replay->aside_count < WINDOW ? replay->aside_count : WINDOW;
    for (uint32_t skip = below(replay, count); skip > 0; skip--) {
        before = block;
        block = block->next;
    }
    if (before == NULL) {
        replay->aside = block->next;
    } else {
        before->next = block->next;
    }
    if (replay->aside_tail == block) {
        replay->aside_tail = before;
    }
    return block;
}

static void take_aside(struct cdp_executor *executor)
{
    struct cdp_replay *replay = executor->engine->replay;
    struct cdp_block *block = pick_aside(replay);
    replay->aside_count--;
    count_busy(replay, block, false);
    executor->current = block;
    if (cdp_engine_device_has_failed(executor->engine, cdp_grid_device(block->grid))) {
        cdp_block_kill(block);
    }
}

static bool has_new(const struct cdp_executor *executor)
{
    return executor->engine->replay->offer_count != 0 || executor->overflow.count != 0;
}

/* Whether there is work other than the current block.  It may miss some. */
static bool has_others(const struct cdp_executor *executor)
{
    return executor->engine->replay->aside_count != 0 || has_new(executor) ||
           executor->direct != NULL || !cdp_deque_seems_empty(&executor->worker.deque) ||
           !cdp_mailbox_seems_empty(&executor->worker.pool->injected);
}

/* Draws where the worker finds the next block; UNDECIDED: nowhere. */
static enum choice draw_source(struct cdp_executor *executor)
{
    struct cdp_replay *replay = executor->engine->replay;
    take_offered(executor);
    take_injected(executor);
    bool is_new = has_new(executor);
    if (replay->aside_count == 0) {
        return is_new ? START : UNDECIDED;
    }
    bool is_full = replay->busy_count >= MANY_BUSY ||
                   (replay->busy_threads >= MANY_THREADS && replay->busy_count >= FEW_BUSY);
    return is_new && !is_full && chance(replay, replay->habits.start) ? START : RESUME;
}

/* Makes a block current, or runs a task that is no block.  False if there is nothing. */
static bool find_work(struct cdp_executor *executor)
{
    struct cdp_replay *replay = executor->engine->replay;
    if (!cdp_mailbox_seems_empty(&executor->worker.mail)) {
        cdp_executor_take_mail(executor);
    }
    enum choice source = replay->choice == START ? START : draw_source(executor);
    replay->choice = UNDECIDED;
    replay->is_fresh = true;
    if (source == START) {
        run_new(executor);
    } else if (source == RESUME) {
        take_aside(executor);
    }
    return source != UNDECIDED;
}

static void shuffle(struct cdp_executor *executor, struct cdp_fiber_queue *queue)
{
    struct cdp_replay *replay = executor->engine->replay;
    struct cdp_fiber_queue halves[2] = {{0}};
    struct cdp_fiber *next;
    for (struct cdp_fiber *fiber = queue->head; fiber != NULL; fiber = next) {
        next = fiber->next;
        cdp_fiber_push(&halves[cdp_random_word(&replay->random) & 1], fiber);
    }
    queue->head = NULL;
    cdp_fiber_append(queue, &halves[0]);
    cdp_fiber_append(queue, &halves[1]);
}

static bool has_unstarted(const struct cdp_block *block)
{
    return block->threads.next < block->view.thread_count;
}

/* The fiber that is chosen next is one of the window.  So what a switch to a fiber reads is fetched
 * when it enters the window. */
static void fetch_ahead(struct cdp_fiber *fiber, uint32_t left)
{
    for (; left > 0 && fiber->next != NULL; left--) {
        fiber = fiber->next;
    }
    __builtin_prefetch(fiber->next);
    __builtin_prefetch(fiber->sp, 1);
    __builtin_prefetch((char *)fiber->sp + CDP_CACHE_LINE, 1);
}

/* Removes a random one of the first few fibers. */
static struct cdp_fiber *pick(struct cdp_replay *replay, struct cdp_fiber_queue *queue)
{
    struct cdp_fiber *before = NULL, *fiber = queue->head;
    uint32_t skip = below(replay, WINDOW), left = WINDOW - skip;
    for (; skip > 0 && fiber->next != NULL; skip--) {
        before = fiber;
        fiber = fiber->next;
    }
    fetch_ahead(fiber, left);
    if (before == NULL) {
        queue->head = fiber->next;
        return fiber;
    }
    before->next = fiber->next;
    if (queue->tail == fiber) {
        queue->tail = before;
    }
    return fiber;
}

/* Draws what the worker does next with a block that has threads to run.  A block that has just
 * become current is not left: another one would become current, and no thread would have run. */
static enum choice draw(struct cdp_executor *executor, const struct cdp_block *block)
{
    struct cdp_replay *replay = executor->engine->replay;
    bool may_leave = !replay->is_fresh;
    replay->is_fresh = false;
    if (may_leave && has_others(executor) && chance(replay, replay->habits.leave)) {
        return LEAVE;
    }
    bool begins =
        has_unstarted(block) && (block->ready.head == NULL || chance(replay, replay->habits.begin));
    return begins ? BEGIN : GO_ON;
}

/* The block is no longer current.  Usually one that was left before is now; if not, the loop makes
 * one current. */
static void leave(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_replay *replay = executor->engine->replay;
    line_up(executor, block);
    executor->current = NULL;
    replay->choice = draw_source(executor);
    if (replay->choice == RESUME) {
        replay->choice = UNDECIDED;
        replay->is_fresh = true;
        take_aside(executor);
    }
}

/* A thread of the block suspends.  Usually another thread, of this block or another one, continues.
 * For all else the loop runs. */
static struct cdp_fiber *next_fiber(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_replay *replay = executor->engine->replay;
    while (block != NULL && block->ready.head != NULL) {
        step(replay);
        replay->choice = draw(executor, block);
        if (replay->choice == GO_ON) {
            replay->choice = UNDECIDED;
            return pick(replay, &block->ready);
        }
        if (replay->choice != LEAVE) {
            break;
        }
        leave(executor, block);
        block = executor->current;
    }
    return cdp_executor_idle_fiber(executor);
}

/* One step with a current block. */
static void go_on(struct cdp_executor *executor, struct cdp_fiber *self, struct cdp_block *block)
{
    struct cdp_replay *replay = executor->engine->replay;
    enum choice choice = replay->choice;
    replay->choice = UNDECIDED;
    if (block->ready.head == NULL && !has_unstarted(block)) {
        shuffle(executor, &block->polling);
        cdp_fiber_append(&block->ready, &block->polling);
    }
    if (block->ready.head == NULL && !has_unstarted(block)) {
        cdp_block_settle(executor, block);
        return;
    }
    if (choice == UNDECIDED) {
        choice = draw(executor, block);
    }
    if (choice == LEAVE) {
        leave(executor, block);
    } else if (choice == BEGIN) {
        (void)cdp_block_run_threads(block, self);
    } else {
        struct cdp_fiber *next = pick(replay, &block->ready);
        cdp_executor_cache(executor, self);
        cdp_fiber_switch(self, next);
    }
}

static void turn(struct cdp_executor *executor, struct cdp_fiber *self)
{
    struct cdp_replay *replay = executor->engine->replay;
    if (executor->current == NULL && !find_work(executor)) {
        cdp_turn_idle(&replay->turn);
        return;
    }
    if (replay->choice == UNDECIDED) {
        step(replay);
    }
    if (executor->current != NULL) {
        go_on(executor, self, executor->current);
    }
}

/* ---- Switch points ---- */

static void give_way(struct cdp_fiber *self)
{
    struct cdp_executor *executor = self->owner;
    struct cdp_replay *replay = executor->engine->replay;
    step(replay);
    if (chance(replay, replay->habits.give_way)) {
        struct cdp_block *block = cdp_block_of(&self->thread);
        cdp_fiber_push(&block->ready, self);
        struct cdp_fiber *next = next_fiber(executor, block);
        if (next != self) {
            cdp_fiber_switch(self, next);
        }
    }
}

/* Threads that wait at a barrier are not counted.  Otherwise a block of 1,024 threads of which one
 * polls would poll a thousand times as often before it gives way, as would each block of a chain.
 */
static uint32_t count_runnable(const struct cdp_block *block)
{
    uint32_t count = 1 + block->view.thread_count - block->threads.next;
    for (const struct cdp_fiber *fiber = block->ready.head; fiber != NULL; fiber = fiber->next) {
        count++;
    }
    for (const struct cdp_fiber *fiber = block->polling.head; fiber != NULL; fiber = fiber->next) {
        count++;
    }
    return count;
}

/* The threads are counted when the first of them may have polled enough, and again at the limit. */
static bool has_polled_enough(struct cdp_block *block)
{
    struct cdp_polling *poll = &block->poll;
    if (poll->yields == PATIENCE || poll->yields >= poll->limit) {
        poll->limit = PATIENCE * count_runnable(block);
    }
    return poll->yields >= poll->limit;
}

/* The running thread polls or accessed a volatile variable.  It continues after all other threads
 * that can run had a turn.  Some programs communicate between lanes by volatile variables, without
 * a barrier.  On a device their lanes run in lockstep, and this order has the same effect. */
static void poll(struct cdp_executor *executor, struct cdp_block *block, struct cdp_fiber *self)
{
    if (has_polled_enough(block)) {
        cdp_poll_leave(executor, block, self, &block->polling);
        return;
    }
    step(executor->engine->replay);
    cdp_fiber_push(&block->polling, self);
    cdp_fiber_switch(self, next_fiber(executor, block));
}

/* ---- Time ---- */

/* Device code's clocks advance with the schedule's steps.  So a program that uses the clock also
 * repeats. */
static uint64_t read_clock(struct cdp_executor *executor)
{
    executor->engine->replay->clock += LOOK_NS;
    return executor->engine->replay->clock;
}

static void sleep_for(struct cdp_executor *executor, struct cdp_fiber *self, uint32_t nanoseconds)
{
    enum { PARTS = 4 };
    for (int i = 0; i < PARTS; i++) {
        executor->engine->replay->clock += nanoseconds / PARTS;
        cdp_poll_yield(executor, self);
    }
}

/* ---- The host's side ---- */

static void call_begins(struct cdp_executor *executor)
{
    cdp_turn_call_begins(&executor->engine->replay->turn);
}

static void call_ended(struct cdp_executor *executor)
{
    cdp_turn_call_ended(&executor->engine->replay->turn);
}

static void given(struct cdp_engine *engine)
{
    cdp_turn_give(&engine->replay->turn);
}

/* On the worker, the notification is sent at its next step. */
static void notify(struct cdp_engine *engine)
{
    struct cdp_turn *turn = &engine->replay->turn;
    if (cdp_executor_here != NULL) {
        atomic_store_explicit(&turn->news, true, memory_order_relaxed);
    } else {
        cdp_turn_notify(turn);
    }
}

static void await(struct cdp_engine *engine, bool (*done)(void *arg), void *arg)
{
    cdp_turn_await(&engine->replay->turn, done, arg);
}

static void lend(struct cdp_engine *engine)
{
    cdp_turn_lend(&engine->replay->turn);
}

static void stop(struct cdp_engine *engine)
{
    cdp_turn_stop(&engine->replay->turn);
}

/* ---- The schedule ---- */

static const struct cdp_block *aside(const struct cdp_executor *executor)
{
    return executor->engine->replay->aside;
}

/* The loop chooses the next thread.  Threads do not switch to each other directly. */
static void order_threads(struct cdp_executor *executor, struct cdp_block *block)
{
    block->threads.direct_from = CDP_NEVER_DIRECT;
    cdp_schedule_shuffle_threads(executor, block);
}

const struct cdp_schedule cdp_schedule_replayed = {
    .repeats = true,
    .turn = turn,
    .resume = line_up,
    .resume_polling = line_up,
    .aside = aside,
    .order_threads = order_threads,
    .next_fiber = next_fiber,
    .give_way = give_way,
    .poll = poll,
    .shuffle = shuffle,
    .clock = read_clock,
    .wall_clock = read_clock,
    .sleep = sleep_for,
    .call_begins = call_begins,
    .call_ended = call_ended,
    .host = {.given = given, .notify = notify, .await = await, .lend = lend, .stop = stop},
};
