/* The loop that every fiber runs.
 *
 * There is no separate context for the scheduler.  A fiber runs threads of the current block by
 * calling the kernel on its own stack.  When a thread suspends, the loop's frame stays on the same
 * stack, and another fiber, which also runs the loop, continues.  So a thread that never waits
 * costs one call, and a grid whose threads never wait costs no switch.  All of the loop's state is
 * in the executor. */
#include <string.h>

#include "base/alloc.h"
#include "exec/block/batch.h"
#include "exec/block/block.h"
#include "exec/block/completion.h"
#include "exec/block/executor.h"
#include "exec/block/plain.h"
#include "exec/block/poll.h"
#include "exec/block/threads.h"
#include "exec/launch/chain.h"
#include "exec/loop/engine.h"
#include "exec/loop/loop.h"
#include "exec/report/fault.h"
#include "exec/report/profile.h"
#include "exec/report/watchdog.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/valid.h"
#include "os/float_mode.h"
#include "os/os.h"
#include "sched/park.h"

/* With more suspended blocks, a worker takes no new work from others.  Each suspended block has a
 * descendant that runs, can run, or is in some worker's own deque.  Workers always serve their own
 * deque.  So the limit bounds memory and cannot cause a deadlock. */
enum { MOST_SUSPENDED = 64 };

static bool take_block(struct cdp_executor *executor, struct cdp_block **head)
{
    struct cdp_block *block = *head;
    if (block == NULL) {
        return false;
    }
    *head = block->next;
    executor->current = block;
    if (CDP_UNLIKELY(cdp_grid_is_profiled(block->grid))) {
        cdp_profile_runs(block->grid, executor->worker.index);
    }
    if (cdp_engine_device_has_failed(executor->engine, cdp_grid_device(block->grid))) {
        cdp_block_kill(block);
    }
    return true;
}

static bool pop(struct cdp_executor *executor, struct cdp_offer *out)
{
    if (CDP_UNLIKELY(executor->schedule->pop != NULL)) {
        return executor->schedule->pop(executor, out);
    }
    return cdp_worker_pop(&executor->worker, out);
}

static bool take_own(struct cdp_executor *executor)
{
    struct cdp_offer offer;
    struct cdp_grid *grid = executor->direct;
    if (grid != NULL) {
        executor->direct = NULL;
        cdp_offer_run(&executor->worker, cdp_offer_whole(&grid->task));
        return true;
    }
    if (executor->batch.left.task != NULL) {
        cdp_grid_run_batch(executor);
        return true;
    }
    if (CDP_UNLIKELY(executor->overflow.count != 0)) {
        offer = executor->overflow.offers[--executor->overflow.count];
    } else if (!pop(executor, &offer)) {
        return false;
    }
    cdp_offer_run(&executor->worker, offer);
    return true;
}

/* Takes all injected tasks.  Runs the oldest one, and offers the others, the oldest on top. */
static bool take_injected(struct cdp_executor *executor)
{
    struct cdp_pool *pool = executor->worker.pool;
    if (cdp_mailbox_seems_empty(&pool->injected)) {
        return false;
    }
    struct cdp_task *oldest = cdp_mailbox_take(&pool->injected);
    if (oldest == NULL) {
        return false;
    }
    if (!executor->worker.has_thread) {
        /* Relaxed: only the helper writes it, and readers use it as a heuristic. */
        uint32_t helped = atomic_load_explicit(&pool->helped, memory_order_relaxed);
        atomic_store_explicit(&pool->helped, helped + 1, memory_order_relaxed);
    }
    executor->worker.is_prompt = true;
    struct cdp_task *reversed = NULL;
    for (struct cdp_task *task = oldest->link; task != NULL;) {
        struct cdp_task *next = task->link;
        task->link = reversed;
        reversed = task;
        task = next;
    }
    while (reversed != NULL) {
        /* Read before the push: a thief may run and recycle the task at once. */
        struct cdp_task *next = reversed->link;
        if (!cdp_worker_push(&executor->worker, cdp_offer_whole(reversed))) {
            cdp_pool_inject(pool, reversed);
        }
        reversed = next;
    }
    cdp_offer_run(&executor->worker, cdp_offer_whole(oldest));
    return true;
}

/* Each test for injected tasks takes a cache line from the host thread.  A host thread that waits
 * after each few launches runs them itself.  So a worker that has found nothing for some
 * microseconds tests less often.  But it always tests after it has announced that it sleeps
 * (sched/park.h). */
enum { EAGER_LOOKS = 16, LOOKS_BETWEEN = 8 };
/* If the host thread runs its own launches, a worker tests even less often, and takes only tasks
 * that have been injected for a while.  The host thread is about to take new ones itself, and runs
 * them faster, because their data is in its cache.  In ticks (some thousand per microsecond). */
enum { TICKS_BETWEEN = 24000, TICKS_TO_WAIT = 4000 };
/* With so many launches between two tests, the worker spins and does not sleep, because launches
 * would wake it again and again.  With fewer it sleeps as usual. */
enum { MANY_LAUNCHES = 8 };

/* Whether this worker, which has found nothing, stays awake. helped: the launches that the host
 * thread has run since the last test. Without time to spin there are fewer CPUs than threads. A
 * worker that stays awake there rests between its tests, and gets no wake-up for the blocks that it
 * has suspended (sched/park.c). It tests after each wake-up, so one launch is enough. */
static bool may_stay_awake(const struct cdp_executor *executor, uint32_t helped)
{
    return executor->worker.pool->spin_us != 0 ? helped >= MANY_LAUNCHES
                                               : executor->blocks.resident == 0;
}

/* Whether injected tasks, if there are any, are left to the host thread that runs executor 0. */
static bool is_left_to_helper(struct cdp_executor *executor)
{
    const struct cdp_pool *pool = executor->worker.pool;
    struct cdp_helper_watch *watch = &executor->helper_watch;
    /* Relaxed: a heuristic. */
    uint32_t helped = atomic_load_explicit(&pool->helped, memory_order_relaxed);
    if (helped != watch->helped) {
        executor->worker.spins_on = may_stay_awake(executor, helped - watch->helped);
        watch->helped = helped;
        executor->worker.is_prompt = false;
        watch->is_patient = true;
        watch->waits = false;
    }
    if (!watch->is_patient) {
        return false;
    }
    bool is_empty = cdp_mailbox_seems_empty(&pool->injected);
    /* Not patient if the host thread has left a task there. */
    watch->is_patient = is_empty || !watch->waits;
    watch->waits = watch->is_patient && !is_empty;
    watch->next = cdp_os_ticks() + (watch->waits ? TICKS_TO_WAIT : TICKS_BETWEEN);
    return watch->is_patient;
}

static bool may_look_later(struct cdp_executor *executor)
{
    const struct cdp_worker *worker = &executor->worker;
    struct cdp_helper_watch *watch = &executor->helper_watch;
    if (!worker->has_thread || worker->pool->count == 1) {
        return false; /* the host thread runs its own launches; a lone worker must run all */
    }
    /* Relaxed: this thread sets it.  A thread that clears it has published its task before. */
    if (atomic_load_explicit(&worker->sleeping, memory_order_relaxed) != 0) {
        executor->helper_watch.idle_looks = 0;
        watch->is_patient = watch->waits = false;
        return false;
    }
    if (watch->is_patient ? (int64_t)(cdp_os_ticks() - watch->next) < 0
                          : ++executor->helper_watch.idle_looks > EAGER_LOOKS &&
                                executor->helper_watch.idle_looks % LOOKS_BETWEEN != 0) {
        return true;
    }
    return is_left_to_helper(executor);
}

/* Takes injected tasks, or steals from other workers. */
static bool take_foreign(struct cdp_executor *executor)
{
    struct cdp_worker *worker = &executor->worker;
    struct cdp_offer offer;
    if (executor->blocks.suspended >= MOST_SUSPENDED) {
        return false;
    }
    if (!may_look_later(executor) && take_injected(executor)) {
        return true; /* idle_looks is not reset: the host thread may launch again */
    }
    if (!cdp_worker_steal(worker, &offer)) {
        return false;
    }
    executor->helper_watch.idle_looks = 0;
    cdp_offer_run(worker, offer);
    return true;
}

/* A polling block may wait for another block that polls, or for one that has not started. */
static bool find_beside_polls(struct cdp_executor *executor)
{
    if (cdp_poll_has_turn(executor)) {
        return take_block(executor, cdp_poll_next(executor));
    }
    cdp_poll_begin_other(executor);
    return take_own(executor) || take_foreign(executor) ||
           take_block(executor, cdp_poll_next(executor));
}

static bool find_work(struct cdp_worker *worker)
{
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    if (!cdp_mailbox_seems_empty(&worker->mail)) {
        cdp_executor_take_mail(executor);
    }
    if (take_block(executor, &executor->blocks.resumable_head)) {
        return true;
    }
    if (CDP_UNLIKELY(cdp_polls_any(&executor->blocks.polls))) {
        return find_beside_polls(executor);
    }
    return take_own(executor) || take_foreign(executor);
}

/* Whether the OS thread should leave the loop.  A host thread leaves when done() is true and all
 * blocks that it has started have ended. */
static bool should_leave(struct cdp_executor *executor)
{
    if (executor->worker.has_thread) {
        return atomic_load_explicit(&executor->worker.pool->stopping, memory_order_relaxed);
    }
    if (executor->blocks.resident != 0 || executor->direct != NULL ||
        executor->overflow.count != 0 || executor->batch.left.task != NULL) {
        return false;
    }
    /* Acquire pairs with cdp_engine_notify: the effects before it. */
    uint32_t epoch = atomic_load_explicit(&executor->engine->host.epoch, memory_order_acquire);
    if (epoch == executor->help.seen_epoch) {
        return false;
    }
    if (executor->help.done(executor->help.arg)) {
        return true;
    }
    executor->help.seen_epoch = epoch;
    return false;
}

/* Wakes another worker if there is work.  A wake-up for it may have woken the thread that
 * now leaves. */
static void pass_on_wake(struct cdp_executor *executor)
{
    struct cdp_pool *pool = executor->worker.pool;
    if (!cdp_mailbox_seems_empty(&pool->injected) ||
        !cdp_deque_seems_empty(&executor->worker.deque)) {
        cdp_park_wake_any(pool);
    }
}

static bool look(struct cdp_worker *worker)
{
    return find_work(worker) || should_leave((struct cdp_executor *)worker);
}

/* The reserve is in use: the launch tree has failed because no stack could be allocated, or a trap
 * came when no fiber was idle.  Kills the current block, which frees the fibers of its threads. */
static void refill_reserve(struct cdp_executor *executor)
{
    if (executor->fibers.idle == NULL && executor->current != NULL) {
        cdp_block_kill(executor->current);
    }
    if (executor->fibers.reserve == NULL && executor->fibers.idle != NULL) {
        executor->fibers.reserve = executor->fibers.idle;
        executor->fibers.idle = executor->fibers.reserve->next;
    }
}

/* One iteration of the loop with a current block. */
static void step(struct cdp_executor *executor, struct cdp_fiber *self, struct cdp_block *block)
{
    if (block->threads.next < block->threads.may_start) {
        (void)cdp_block_run_threads(block, self);
        return;
    }
    struct cdp_fiber *ready = cdp_block_take_ready(block);
    if (ready != NULL) {
        cdp_executor_cache(executor, self);
        cdp_fiber_switch(self, ready);
        return;
    }
    if (CDP_UNLIKELY(block->flags.holds)) {
        cdp_poll_release(block);
        return;
    }
    cdp_block_settle(executor, block);
}

static inline void recover(struct cdp_executor *executor)
{
    if (CDP_UNLIKELY(executor->signals.trap.fiber != NULL)) {
        cdp_fault_landed(executor);
    }
    if (CDP_UNLIKELY(executor->fibers.reserve == NULL)) {
        refill_reserve(executor);
    }
}

/* The loop ends on the fiber self. */
static void end_loop(struct cdp_executor *executor, struct cdp_fiber *self)
{
    CDP_CHECK_VALID_SAMPLE(executor->blocks.resident, cdp_executor_is_valid(executor));
    pass_on_wake(executor);
    cdp_executor_cache(executor, self);
}

static void leave(struct cdp_executor *executor, struct cdp_fiber *self)
{
    end_loop(executor, self);
    cdp_fiber_leave(self, &executor->fibers.thread_stack);
}

/* The loop of schedules that have the operation turn. */
static void turns_main(void *argument)
{
    struct cdp_fiber *self = argument;
    struct cdp_executor *executor = self->owner;
    cdp_fiber_arrived(self, &executor->fibers.thread_stack);
    for (;;) {
        recover(executor);
        if (executor->current == NULL && should_leave(executor)) {
            leave(executor, self);
        } else {
            executor->schedule->turn(executor, self);
        }
    }
}

/* Begins with the launches of the host thread that runs executor 0. */
static void begin_help(struct cdp_executor *executor)
{
    struct cdp_grid *grid = executor->help.brief.grid;
    if (grid != NULL) {
        cdp_offer_run(&executor->worker, cdp_offer_whole(&grid->task));
    } else {
        (void)take_injected(executor);
    }
}

/* The loop.  Returns when the OS thread should leave it. */
static void run(struct cdp_executor *executor, struct cdp_fiber *self)
{
    for (;;) {
        recover(executor);
        if (executor->current != NULL) {
            step(executor, self, executor->current);
        } else if (executor->direct != NULL && executor->direct->plain &&
                   cdp_plain_may_run(executor)) {
            cdp_plain_run(executor, self);
        } else if (executor->help.begins) {
            executor->help.begins = false;
            begin_help(executor);
        } else if (should_leave(executor)) {
            if (CDP_UNLIKELY(cdp_profile_is_on)) {
                cdp_profile_idles();
            }
            return;
        } else if (!find_work(&executor->worker)) {
            if (CDP_UNLIKELY(cdp_profile_is_on)) {
                cdp_profile_idles();
            }
            cdp_park_idle(&executor->worker, look);
        }
    }
}

static void fiber_main(void *argument)
{
    struct cdp_fiber *self = argument;
    struct cdp_executor *executor = self->owner;
    cdp_fiber_arrived(self, &executor->fibers.thread_stack);
    for (;;) {
        run(executor, self);
        leave(executor, self);
    }
}

void (*cdp_loop_of(const struct cdp_schedule *schedule))(void *fiber)
{
    return schedule->turn != NULL ? turns_main : fiber_main;
}

#if CDP_FIBER_CALLS
/* The loop on an idle fiber.  The fiber is suspended in another call of this function or in
 * leave(), or has not begun.  While this call runs, the fiber may become idle again, and the loop
 * may end on another fiber. */
static void call_main(void *argument)
{
    struct cdp_fiber *self = argument;
    struct cdp_executor *executor = self->owner;
    void *rest = self->sp;
    run(executor, self);
    self->sp = rest;
    end_loop(executor, self);
}
#endif

/* Enters the loop from the OS thread's own stack. */
static void begin(struct cdp_executor *executor)
{
    struct cdp_fiber *fiber = cdp_executor_idle_fiber(executor);
#if CDP_FIBER_CALLS
    if (CDP_LIKELY(executor->fibers.main == fiber_main)) {
        cdp_fiber_call(&executor->fibers.thread_stack, fiber, call_main);
        return;
    }
#endif
    cdp_fiber_enter(&executor->fibers.thread_stack, fiber);
}

void cdp_loop_call(struct cdp_executor *executor, struct cdp_engine_task *task)
{
    executor->host_call.task = task;
    executor->host_call.caller = cdp_fiber_of(cdp_abi_self);
    cdp_fiber_leave(executor->host_call.caller, &executor->fibers.thread_stack);
}

static void run_call(struct cdp_executor *executor)
{
    const struct cdp_schedule *schedule = executor->schedule;
    if (schedule->call_begins != NULL) {
        schedule->call_begins(executor);
    }
    executor->host_call.task->run(executor->host_call.task);
    if (schedule->call_ended != NULL) {
        schedule->call_ended(executor);
    }
}

static void watch(struct cdp_executor *executor, void (*tell)(struct cdp_executor *executor))
{
    if (CDP_UNLIKELY(executor->engine->watchdog != NULL)) {
        tell(executor);
    }
}

static void enter(struct cdp_executor *executor)
{
    struct cdp_fiber *fiber;
    struct cdp_os_float_mode mode = cdp_os_float_enter();
    cdp_executor_here = executor;
    watch(executor, cdp_watchdog_enter);
    begin(executor);
    while ((fiber = executor->host_call.caller) != NULL) {
        executor->host_call.caller = NULL;
        watch(executor, cdp_watchdog_host_function);
        run_call(executor);
        watch(executor, cdp_watchdog_enter);
        cdp_fiber_enter(&executor->fibers.thread_stack, fiber);
    }
    watch(executor, cdp_watchdog_leave);
    cdp_executor_here = NULL;
    cdp_os_float_leave(&mode);
}

void cdp_loop_main(struct cdp_worker *worker)
{
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    cdp_fault_thread_init(executor);
    enter(executor);
    cdp_fault_thread_finish(executor);
}

void cdp_loop_help(struct cdp_executor *executor, bool (*done)(void *arg), void *arg)
{
    executor->help.done = done;
    executor->help.arg = arg;
    executor->help.queue = cdp_engine_own_submission_queue(executor->engine);
    executor->help.begins = true;
    /* With another epoch, done is called at once. */
    executor->help.seen_epoch = atomic_load(&executor->engine->host.epoch) - 1;
    cdp_park_help(executor->worker.pool, true);
    enter(executor);
    cdp_park_help(executor->worker.pool, false);
}

static bool asks_for_no_more(void *arg)
{
    (void)arg;
    return true;
}

void cdp_loop_run_now(struct cdp_executor *executor, struct cdp_grid *grid)
{
    executor->help.done = asks_for_no_more;
    executor->help.queue = cdp_engine_own_submission_queue(executor->engine);
    executor->help.begins = true;
    executor->help.brief.grid = grid;
    /* With another epoch, done is called at once. */
    executor->help.seen_epoch = atomic_load(&executor->engine->host.epoch) - 1;
    enter(executor);
    executor->help.brief.grid = NULL;
}
