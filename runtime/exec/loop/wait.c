/* How a host thread waits: it spins, sleeps, or lends itself to the first executor. */
#include "exec/loop/wait.h"

#include "exec/launch/chain.h"
#include "exec/launch/submission_queue.h"
#include "exec/loop/engine.h"
#include "exec/loop/loop.h"
#include "exec/report/fault.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "os/os.h"

/* Names the bond of an engine with the host thread that lends itself to executor 0.
 * Not the thread's pthread_t: one that is gone leaves that to the next. */
static _Atomic uint32_t bonds;
static __thread uint32_t my_bond CDP_TLS_INITIAL_EXEC;

bool cdp_engine_is_helper(const struct cdp_engine *engine)
{
    return atomic_load_explicit(&engine->host.helper_is_bound, memory_order_acquire) &&
           my_bond == engine->host.helper_bond;
}

/* The same, or it becomes the one.  The first to wait is bound for ever: its fibers' frames may
 * hold addresses of its thread-locals. */
static bool may_help(struct cdp_engine *engine)
{
    if (engine->executors[0]->worker.has_thread) {
        return false;
    }
    if (atomic_load_explicit(&engine->host.helper_is_bound, memory_order_acquire)) {
        return my_bond == engine->host.helper_bond;
    }
    cdp_lock_acquire(&engine->host.lock);
    bool mine = !atomic_load_explicit(&engine->host.helper_is_bound, memory_order_relaxed);
    if (mine) {
        my_bond = engine->host.helper_bond = atomic_fetch_add(&bonds, 1) + 1;
        /* Release pairs with the acquire above: helper_bond. */
        atomic_store_explicit(&engine->host.helper_is_bound, true, memory_order_release);
    }
    cdp_lock_release(&engine->host.lock);
    if (mine) {
        cdp_fault_thread_init(engine->executors[0]);
    }
    return my_bond == engine->host.helper_bond;
}

/* Spins while the epoch stands, unless that keeps a worker from its CPU.  Sharing it
 * would cost two switches of the system's for each launch, so a lone worker moves. */
static void spin(struct cdp_engine *engine, uint32_t epoch, uint64_t end)
{
    if (cdp_pool_shares_cpu(&engine->pool) && !cdp_pool_move_away(&engine->pool)) {
        return;
    }
    while (atomic_load_explicit(&engine->host.epoch, memory_order_relaxed) == epoch &&
           cdp_os_now() < end) {
        cdp_os_pause();
    }
}

/* Spins, then sleeps until the epoch moves on from what it was before done was asked. */
static void wait_asleep(struct cdp_engine *engine, bool (*done)(void *arg), void *arg)
{
    uint64_t end = cdp_os_now() + (uint64_t)engine->pool.spin_us * 1000;
    uint32_t epoch = atomic_load(&engine->host.epoch);
    while (!done(arg)) {
        spin(engine, epoch, end);
        if (atomic_load(&engine->host.epoch) == epoch) {
            atomic_fetch_add(&engine->host.waiters, 1);
            cdp_os_wait(&engine->host.epoch, epoch);
            atomic_fetch_sub(&engine->host.waiters, 1);
        }
        epoch = atomic_load(&engine->host.epoch);
    }
}

/* Without threads who waits must help. */
static void wait(struct cdp_engine *engine, bool (*done)(void *arg), void *arg, bool helps)
{
    helps = helps || engine->modes.is_threadless;
    if (CDP_UNLIKELY(engine->modes.takes_turns)) {
        engine->schedule->host.await(engine, done, arg);
    } else if (helps && may_help(engine)) {
        cdp_loop_help(engine->executors[0], done, arg);
    } else {
        wait_asleep(engine, done, arg);
    }
}

/* As cdp_engine_wait_idle, or _launch, for what a moment ago was not done: it does not ask before
 * it has looked for something to run. */
static void await(struct cdp_engine *engine, bool idle, bool (*done)(void *arg), void *arg)
{
    wait(engine, done, arg, idle || cdp_chains_pending(engine) <= 1);
}

void cdp_engine_wait(struct cdp_engine *engine, bool (*done)(void *arg), void *arg)
{
    if (!done(arg)) {
        wait(engine, done, arg, false);
    }
}

void cdp_engine_wait_launch(struct cdp_engine *engine, bool (*done)(void *arg), void *arg)
{
    if (!done(arg)) {
        await(engine, false, done, arg);
    }
}

void cdp_engine_wait_idle(struct cdp_engine *engine, bool (*done)(void *arg), void *arg)
{
    if (!done(arg)) {
        await(engine, true, done, arg);
    }
}

/* Once it is false the thread is told of the end.  It is not before: a thread that lends itself
 * mostly has done all by itself when it asks for the first time. */
static bool is_over_or_told(void *arg)
{
    struct cdp_submission_queue *queue = arg;
    if (cdp_submission_is_over(queue)) {
        return true;
    }
    /* Relaxed: whoever asks has stored it, or it is false. */
    if (atomic_load_explicit(&queue->waits, memory_order_relaxed)) {
        return false;
    }
    /* Before the look at the chain, as the worker looks here after its exchange. */
    atomic_store(&queue->waits, true);
    return cdp_submission_is_over(queue);
}

void cdp_engine_wait_queue(struct cdp_submission_queue *queue, bool idle)
{
    if (cdp_submission_is_over(queue)) {
        return;
    }
    await(queue->engine, idle, is_over_or_told, queue);
    /* Relaxed: who reads what was here before tells in vain. */
    atomic_store_explicit(&queue->waits, false, memory_order_relaxed);
}
