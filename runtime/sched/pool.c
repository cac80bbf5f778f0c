/* Starts and stops the workers' threads. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "base/alloc.h"
#include "os/os.h"
#include "sched/park.h"
#include "sched/worker.h"

/* Those with a thread in order; a host thread that lends itself is taken to be on the CPU
 * that comes last. */
static void place_workers(struct cdp_pool *pool)
{
    struct cdp_os_place places[CDP_OS_MOST_PLACES];
    struct cdp_os_order order = {.is_spread = pool->pin == CDP_PIN_SPREAD,
                                 .host_cpu = cdp_os_current_cpu()};
    unsigned count = cdp_os_places(&order, places), next = 0;
    for (unsigned i = 0; i < pool->count; i++) {
        struct cdp_worker *worker = pool->workers[i];
        const struct cdp_os_place *place = &places[worker->has_thread ? next++ % count : count - 1];
        worker->cpu = place->cpu;
        worker->node = place->node;
        pool->has_nodes |= worker->node != pool->workers[0]->node;
    }
}

/* The CPU, or -1. */
static int pin(const struct cdp_worker *worker)
{
    switch (worker->pool->pin) {
    case CDP_PIN_NONE:
        return -1;
    case CDP_PIN_ANY:
        /* Spread by process: several single-worker processes must not share a CPU. */
        return cdp_os_pin(worker->index + cdp_os_process_number());
    case CDP_PIN_COMPACT:
    case CDP_PIN_SPREAD:
        return cdp_os_pin_to(worker->cpu) ? worker->cpu : -1;
    }
    return -1;
}

static void *thread_main(void *argument)
{
    struct cdp_worker *worker = argument;
    /* Relaxed: a hint to those who spin. */
    atomic_store_explicit(&worker->pinned_cpu, pin(worker) + 1, memory_order_relaxed);
    worker->pool->main(worker);
    return NULL;
}

bool cdp_pool_shares_cpu(const struct cdp_pool *pool)
{
    if (pool->pin == CDP_PIN_NONE) {
        return false;
    }
    int here = cdp_os_current_cpu() + 1;
    for (unsigned i = 0; i < pool->count; i++) {
        if (atomic_load_explicit(&pool->workers[i]->pinned_cpu, memory_order_relaxed) == here) {
            return true;
        }
    }
    return false;
}

/* Not more often: a host thread that wanders must not chase the worker about. */
enum { MOVE_NS = 1000000 };

bool cdp_pool_move_away(struct cdp_pool *pool)
{
    struct cdp_worker *worker = pool->workers[0];
    uint64_t now = cdp_os_now(), last = atomic_load(&pool->moved_at);
    if (pool->count != 1 || now - last < MOVE_NS ||
        !atomic_compare_exchange_strong(&pool->moved_at, &last, now)) {
        return false;
    }
    int cpu = cdp_os_move(worker->thread, cdp_os_current_cpu());
    if (cpu >= 0) {
        atomic_store_explicit(&worker->pinned_cpu, cpu + 1, memory_order_relaxed); /* a hint */
    }
    return cpu >= 0;
}

/* The host's signals are for the host's threads. */
static int start_thread(struct cdp_worker *worker)
{
    static const int own[] = {CDP_OS_FAULT_SIGNALS};
    sigset_t all, old;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        sigdelset(&all, own[i]);
    }
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error =
        cdp_alloc_fails() ? EAGAIN : pthread_create(&worker->thread, NULL, thread_main, worker);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

static void join(struct cdp_pool *pool, unsigned count)
{
    atomic_store(&pool->stopping, true);
    for (unsigned i = 0; i < count; i++) {
        if (pool->workers[i]->has_thread) {
            cdp_park_wake(pool->workers[i]);
            pthread_join(pool->workers[i]->thread, NULL);
        }
    }
}

static void finish_deques(struct cdp_pool *pool, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        cdp_deque_finish(&pool->workers[i]->deque);
    }
}

static bool init_workers(struct cdp_pool *pool)
{
    for (unsigned i = 0; i < pool->count; i++) {
        struct cdp_worker *worker = pool->workers[i];
        worker->pool = pool;
        worker->index = i;
        worker->random = (0x9e3779b97f4a7c15u * (i + 1) ^ 0xbf58476d1ce4e5b9u * pool->seed) | 1;
        if (!cdp_deque_init(&worker->deque, pool->asymmetric_fences)) {
            finish_deques(pool, i);
            return false;
        }
    }
    return true;
}

bool cdp_pool_start(struct cdp_pool *pool)
{
    pool->asymmetric_fences = cdp_os_membarrier_register();
    pool->keeps = pool->asymmetric_fences && pool->count > 1;
    atomic_init(&pool->stopping, false);
    if (!init_workers(pool)) {
        return false;
    }
    if (pool->pin == CDP_PIN_COMPACT || pool->pin == CDP_PIN_SPREAD) {
        place_workers(pool);
    }
    for (unsigned i = 0; i < pool->count; i++) {
        if (pool->workers[i]->has_thread && start_thread(pool->workers[i]) != 0) {
            join(pool, i);
            finish_deques(pool, pool->count);
            return false;
        }
    }
    return true;
}

void cdp_pool_stop(struct cdp_pool *pool)
{
    join(pool, pool->count);
    finish_deques(pool, pool->count);
}
