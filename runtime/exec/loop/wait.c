/* How a host thread waits: it spins, sleeps, or runs the loop of executor 0. */
#include "exec/loop/wait.h"

#include "exec/launch/chain.h"
#include "exec/launch/submission_queue.h"
#include "exec/loop/engine.h"
#include "exec/loop/loop.h"
#include "exec/report/fault.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "os/os.h"

/* A bond is a number for an engine's executor 0 and the host thread that is bound to it.  The
 * thread's pthread_t would not do, because a later thread may get the same one. */
static _Atomic uint32_t bonds;
static __thread uint32_t my_bond CDP_TLS_INITIAL_EXEC;

bool cdp_engine_is_helper(const struct cdp_engine *engine)
{
    return atomic_load_explicit(&engine->host.helper_is_bound, memory_order_acquire) &&
           my_bond == engine->host.helper_bond;
}

/* Whether the calling thread is bound to executor 0.  If no thread is bound, binds the calling one.
 * A bound thread stays bound, because frames on the fibers may hold addresses of its
 * thread-locals. */
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

/* Spins while the epoch does not change, unless this thread and a worker share a CPU. Sharing would
 * cost two context switches for each launch.  So a lone worker moves to another CPU. */
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

/* Spins, then sleeps, until done(arg).  It sleeps only while the epoch has the value from before
 * the last call of done. */
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

/* If no worker has a thread, the waiting thread must run the loop. */
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

/* cdp_engine_wait_idle or cdp_engine_wait_launch, after done was just false.  The loop looks for
 * work before it calls done again. */
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

/* Whether the chain is over.  From the first false result on, the thread is notified when the chain
 * is over.  Usually a thread in the loop has run the chain itself before the first call.  Then no
 * notification is needed. */
static bool is_over_or_told(void *arg)
{
    struct cdp_submission_queue *queue = arg;
    if (cdp_submission_is_over(queue)) {
        return true;
    }
    /* Relaxed: only the calling thread writes it. */
    if (atomic_load_explicit(&queue->waits, memory_order_relaxed)) {
        return false;
    }
    /* This store comes before the load of the chain's word.  The worker loads waits after it
     * exchanges the word. */
    atomic_store(&queue->waits, true);
    return cdp_submission_is_over(queue);
}

void cdp_engine_wait_queue(struct cdp_submission_queue *queue, bool idle)
{
    if (cdp_submission_is_over(queue)) {
        return;
    }
    await(queue->engine, idle, is_over_or_told, queue);
    /* Relaxed: a worker that still reads true only notifies without need. */
    atomic_store_explicit(&queue->waits, false, memory_order_relaxed);
}
