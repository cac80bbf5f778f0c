/* The watchdog's thread, and the answers of the workers. */
#include "exec/report/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/attr.h"
#include "exec/report/blocks.h"
#include "exec/report/deadlock.h"
#include "exec/report/fault.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "os/code.h"
#include "os/context.h"
#include "os/os.h"
#include "os/signals.h"

enum { MILLISECOND = 1000000, SECOND = 1000 * MILLISECOND };
/* How long the watchdog waits for a worker's answer, and the time before the first signal.  Later
 * signals are less and less frequent, because single steps slow the worker down. */
enum { PATIENCE_MS = 5000, SIGNAL_MS = 5 };
enum { MOST_BLOCKS = 16 };
/* Instructions that a thread runs by single steps, each about a microsecond. */
enum { MOST_STEPS = 3000 };

/* The default action is to ignore this signal, so a late one does no harm. */
enum { WATCH_SIGNAL = SIGURG };

/* Value of watch.thread while the OS thread runs a host function. */
enum { IN_HOST_FUNCTION = -1 };

/* The values of an executor's watch.state. */
enum watch_state { WATCH_NONE, WATCH_ASKED, WATCH_ANSWERING, WATCH_ANSWERED };

/* Owned by the engine. */
struct cdp_watchdog {
    struct cdp_engine *engine;
    pthread_t thread;
    _Atomic uint32_t stopping; /* futex */
    /* ranges of device code; const after the first request to a worker */
    struct cdp_os_symbols functions;
    uint32_t epoch; /* engine->host.epoch at the last change, or while nothing was pending */
    uint64_t since; /* the time of that */
    _Atomic unsigned blocks;  /* blocks that were reported */
    _Atomic unsigned devices; /* devices of these blocks, by bits */
};

/* ---- On workers ---- */

static void print_block(void *arg, const struct cdp_block *block, const struct cdp_fiber *running)
{
    struct cdp_watchdog *watchdog = arg;
    unsigned before = atomic_fetch_add(&watchdog->blocks, 1);
    atomic_fetch_or(&watchdog->devices, 1u << cdp_grid_device(block->grid));
    if (before < MOST_BLOCKS) {
        cdp_deadlock_print(block, running);
    } else if (before == MOST_BLOCKS) {
        fprintf(stderr, "cdp:   and more blocks\n");
    }
}

/* Answers the watchdog's request, if there is one. running is the thread of the current block that
 * is in no queue, or NULL. */
static void answer(struct cdp_executor *executor, const struct cdp_fiber *running)
{
    uint32_t asked = WATCH_ASKED;
    if (!atomic_compare_exchange_strong(&executor->watch.state, &asked, WATCH_ANSWERING)) {
        return;
    }
    cdp_blocks_visit(executor, running, print_block, executor->engine->watchdog);
    atomic_store(&executor->watch.state, WATCH_ANSWERED);
    cdp_os_wake(&executor->watch.state, 1);
}

/* The task that the watchdog posts to the mailbox. */
static void answer_mail(struct cdp_worker *worker, struct cdp_task *task, uint32_t first,
                        uint32_t last)
{
    (void)task, (void)first, (void)last;
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    const struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    atomic_store(&executor->watch.is_posted, false);
    answer(executor, self->busy ? self : NULL);
}

static void abandon_device(struct cdp_engine *engine, unsigned device)
{
    cdp_fault_set(engine, device, CDP_FAULT_TIMEOUT,
                  "the launch did not complete within %u s (CDP_TIMEOUT) and is abandoned",
                  engine->options->timeout);
}

/* Called by the loop after the signal has interrupted device code.  Answers the watchdog if there
 * is a request.  Returns after the launch tree has failed.  If the answer comes too late, the
 * watchdog does not know that this device is late, too. */
static void landed(struct cdp_executor *executor, const struct cdp_trap *trap)
{
    struct cdp_engine *engine = executor->engine;
    trap->fiber->site = (const char *)trap->pc + 1; /* the same as after a call at pc */
    answer(executor, trap->fiber);
    unsigned device = cdp_grid_device(cdp_block_of(&trap->fiber->thread)->grid);
    unsigned waited = 0;
    for (; !cdp_engine_device_has_failed(engine, device) && waited < 2 * PATIENCE_MS;
         waited += SIGNAL_MS) {
        uint32_t count = atomic_load(&engine->faults.count);
        cdp_os_wait_for(&engine->faults.count, count, SIGNAL_MS * MILLISECOND);
    }
    if (waited >= 2 * PATIENCE_MS) {
        abandon_device(engine, device);
    }
}

CDP_NOT_INSTRUMENTED static bool is_device_code(const struct cdp_os_symbols *functions,
                                                const void *pc)
{
    uintptr_t at = (uintptr_t)pc;
    size_t low = 0, high = functions->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (functions->ranges[middle].low <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low != 0 && at < functions->ranges[low - 1].high;
}

CDP_NOT_INSTRUMENTED static bool has_failed(const struct cdp_executor *executor,
                                            const struct cdp_fiber *fiber)
{
    unsigned device = cdp_grid_device(cdp_block_of(&fiber->thread)->grid);
    return cdp_engine_device_has_failed(executor->engine, device);
}

/* Abandons the thread if device code was interrupted, because then no state of the runtime is
 * incomplete.  True if the interrupted function was called by device code, which will continue
 * after it. */
CDP_NOT_INSTRUMENTED static bool look_at(struct cdp_executor *executor, void *context)
{
    const struct cdp_abi_thread *thread = cdp_abi_self;
    bool is_asked = atomic_load(&executor->watch.state) == WATCH_ASKED;
    if ((!is_asked && !cdp_engine_has_failed(executor->engine)) || thread == NULL ||
        atomic_load(&executor->watch.thread) <= 0) {
        return false;
    }
    struct cdp_fiber *fiber = cdp_fiber_of(cdp_abi_self);
    if (!is_asked && fiber->busy && !has_failed(executor, fiber)) {
        return false; /* the launch of another device is late */
    }
    struct cdp_trap trap = {.landed = landed, .pc = cdp_os_context_pc(context), .fiber = fiber};
    if (!fiber->busy || !is_device_code(&executor->engine->watchdog->functions, trap.pc)) {
        return fiber->busy;
    }
    (void)cdp_os_context_step(context, false);
    (void)cdp_fault_divert(executor, &trap, context);
    return false;
}

/* Runs on the signal stack, like on_step.  If a function of the runtime was interrupted, the thread
 * runs by single steps until it returns to device code. */
CDP_NOT_INSTRUMENTED static void on_signal(int signal, siginfo_t *info, void *context)
{
    struct cdp_executor *executor = cdp_executor_here;
    if (info->si_code != SI_TKILL || executor == NULL) {
        cdp_os_signal_pass(signal, info, context);
    } else if (look_at(executor, context)) {
        executor->watch.steps = cdp_os_context_step(context, true) ? MOST_STEPS : 0;
    }
}

CDP_NOT_INSTRUMENTED static void on_step(int signal, siginfo_t *info, void *context)
{
    struct cdp_executor *executor = cdp_executor_here;
    if (executor == NULL || executor->watch.steps == 0 || info->si_code <= 0) {
        cdp_os_signal_pass(signal, info, context);
        return;
    }
    executor->watch.steps--;
    if (!look_at(executor, context)) {
        executor->watch.steps = 0;
    }
    (void)cdp_os_context_step(context, executor->watch.steps != 0);
}

static void install(void)
{
    cdp_os_signal_take(WATCH_SIGNAL, on_signal);
    cdp_os_signal_take(SIGTRAP, on_step);
}

void cdp_watchdog_enter(struct cdp_executor *executor)
{
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, WATCH_SIGNAL);
    sigaddset(&both, SIGTRAP);
    pthread_sigmask(SIG_UNBLOCK, &both, NULL);
    atomic_store(&executor->watch.thread, cdp_os_thread_number());
}

void cdp_watchdog_leave(struct cdp_executor *executor)
{
    atomic_store(&executor->watch.thread, 0);
}

/* No signals are sent to host functions, because a signal would end a sleep. */
void cdp_watchdog_host_function(struct cdp_executor *executor)
{
    atomic_store(&executor->watch.thread, IN_HOST_FUNCTION);
}

/* ---- On the watchdog's own thread ---- */

/* TSan delays signals until a call that it intercepts.  So device code cannot be interrupted. */
static void interrupt(struct cdp_executor *executor)
{
    int thread = atomic_load(&executor->watch.thread);
    if (thread > 0 && !CDP_TSAN) {
        cdp_os_signal_thread(thread, WATCH_SIGNAL);
    }
}

static void ask(struct cdp_executor *executor)
{
    if (atomic_load(&executor->watch.thread) == IN_HOST_FUNCTION) {
        fprintf(stderr, "cdp:   worker %u runs a host function\n", executor->worker.index);
        return;
    }
    atomic_store(&executor->watch.state, WATCH_ASKED);
    if (!atomic_exchange(&executor->watch.is_posted, true)) {
        executor->watch.task.run = answer_mail;
        cdp_worker_post(&executor->worker, &executor->watch.task);
        if (executor->engine->modes.takes_turns) {
            /* In this schedule the worker sleeps in host.await, and not in the pool. */
            executor->schedule->host.given(executor->engine);
        }
    }
    unsigned waited = 0, ms = SIGNAL_MS;
    while (waited < PATIENCE_MS && atomic_load(&executor->watch.state) == WATCH_ASKED) {
        cdp_os_wait_for(&executor->watch.state, WATCH_ASKED, (uint64_t)ms * MILLISECOND);
        interrupt(executor);
        waited += ms;
        ms *= 2;
    }
    uint32_t asked = WATCH_ASKED;
    if (!atomic_compare_exchange_strong(&executor->watch.state, &asked, WATCH_NONE)) {
        while (atomic_load(&executor->watch.state) == WATCH_ANSWERING) {
            cdp_os_wait_for(&executor->watch.state, WATCH_ANSWERING, SECOND);
        }
        return;
    }
    fprintf(stderr, "cdp:   worker %u does not answer: it runs code that cannot be interrupted\n",
            executor->worker.index);
}

static bool is_device_function(const char *name)
{
    return strstr(name, ".cdp") != NULL || strncmp(name, "cdp.", 4) == 0;
}

static void report(struct cdp_watchdog *watchdog)
{
    struct cdp_engine *engine = watchdog->engine;
    if (watchdog->functions.count == 0) {
        cdp_os_find_functions(is_device_function, &watchdog->functions);
    }
    atomic_store(&watchdog->blocks, 0);
    atomic_store(&watchdog->devices, 0);
    fprintf(stderr,
            "cdp: no launch has completed for %u s (CDP_TIMEOUT); the states of the threads:\n",
            engine->options->timeout);
    for (unsigned i = 0; i < engine->pool.count; i++) {
        if (atomic_load(&engine->executors[i]->watch.thread) != 0) {
            ask(engine->executors[i]);
        }
    }
    /* Without any block, a launch waits for another one that does not answer. */
    unsigned late = atomic_load(&watchdog->devices);
    for (unsigned i = 0; i < engine->device_count; i++) {
        if (late == 0 || (late >> i & 1) != 0) {
            abandon_device(engine, i);
        }
    }
}

static bool is_stopping(const struct cdp_watchdog *watchdog)
{
    return atomic_load(&watchdog->stopping) != 0;
}

static void sleep_for(struct cdp_watchdog *watchdog, unsigned milliseconds)
{
    cdp_os_wait_for(&watchdog->stopping, 0, (uint64_t)milliseconds * MILLISECOND);
}

/* Waits until all blocks of the failed tree have ended.  Loops in device code are interrupted. */
static void drive_out(struct cdp_watchdog *watchdog)
{
    struct cdp_engine *engine = watchdog->engine;
    unsigned ms = SIGNAL_MS;
    while (engine->operations->chains_pending(engine) != 0 && cdp_engine_has_failed(engine) &&
           !is_stopping(watchdog)) {
        for (unsigned i = 0; i < engine->pool.count; i++) {
            interrupt(engine->executors[i]);
        }
        sleep_for(watchdog, ms);
        ms = ms < PATIENCE_MS / 2 ? 2 * ms : ms;
    }
}

/* Whether launches are pending and none has completed within the time limit. */
static bool is_late(struct cdp_watchdog *watchdog)
{
    struct cdp_engine *engine = watchdog->engine;
    uint32_t epoch = atomic_load(&engine->host.epoch);
    uint64_t now = cdp_os_now();
    if (engine->operations->chains_pending(engine) == 0 || epoch != watchdog->epoch) {
        watchdog->epoch = epoch;
        watchdog->since = now;
    }
    return now - watchdog->since >= engine->options->timeout * 1000ull * MILLISECOND;
}

static void *watch(void *arg)
{
    struct cdp_watchdog *watchdog = arg;
    enum { LOOKS_MS = 50 };
    while (!is_stopping(watchdog)) {
        sleep_for(watchdog, LOOKS_MS);
        if (is_late(watchdog)) {
            report(watchdog);
            drive_out(watchdog);
            watchdog->since = cdp_os_now();
        }
    }
    return NULL;
}

static bool start_thread(struct cdp_watchdog *watchdog)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(&watchdog->thread, NULL, watch, watchdog);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error == 0;
}

bool cdp_watchdog_start(struct cdp_engine *engine)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (engine->options->timeout == 0) {
        return true;
    }
    struct cdp_watchdog *watchdog = cdp_alloc_zero(sizeof *watchdog);
    if (watchdog == NULL) {
        return false;
    }
    watchdog->engine = engine;
    watchdog->since = cdp_os_now();
    pthread_once(&once, install);
    if (!start_thread(watchdog)) {
        char limit[300];
        cdp_os_describe_thread_limit(limit, sizeof limit);
        fprintf(stderr, "cdp: CDP_TIMEOUT has no effect, as no thread can be started: %s\n", limit);
        cdp_free(watchdog);
        return true;
    }
    engine->watchdog = watchdog;
    return true;
}

void cdp_watchdog_stop(struct cdp_engine *engine)
{
    struct cdp_watchdog *watchdog = engine->watchdog;
    if (watchdog == NULL) {
        return;
    }
    atomic_store(&watchdog->stopping, 1);
    cdp_os_wake(&watchdog->stopping, 1);
    pthread_join(watchdog->thread, NULL);
}

void cdp_watchdog_destroy(struct cdp_engine *engine)
{
    if (engine->watchdog != NULL) {
        cdp_free(engine->watchdog->functions.ranges);
        cdp_free(engine->watchdog);
        engine->watchdog = NULL;
    }
}
