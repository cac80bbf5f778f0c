/* Starts and stops the workers' threads. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "base/alloc.h"
#include "os/context.h"
#include "os/cpu.h"
#include "os/os.h"
#include "sched/park.h"
#include "sched/worker.h"

/* Workers with a thread, in order. A host thread that runs blocks is assumed to be on the CPU that
 * comes last. */
static void place_workers(struct cdp_pool *pool)
{
    struct cdp_os_cpu_info cpus[CDP_OS_MOST_CPUS];
    struct cdp_os_order order = {.is_spread = pool->pin == CDP_PIN_SPREAD,
                                 .host_cpu = cdp_os_current_cpu()};
    unsigned count = cdp_os_ordered_cpus(&order, cpus), next = 0;
    for (unsigned i = 0; i < pool->count; i++) {
        struct cdp_worker *worker = pool->workers[i];
        const struct cdp_os_cpu_info *cpu = &cpus[worker->has_thread ? next++ % count : count - 1];
        worker->cpu = cpu->cpu;
        worker->node = cpu->node;
        pool->has_nodes |= worker->node != pool->workers[0]->node;
    }
}

/* The CPU, or -1. */
static int pin(const struct cdp_worker *worker)
{
    int cpu = worker->cpu;
    switch (worker->pool->pin) {
    case CDP_PIN_NONE:
        return -1;
    case CDP_PIN_ANY:
        /* The start differs between processes: several single-worker processes must not share a
         * CPU. */
        cpu = cdp_os_cpu(worker->index + cdp_os_process_number());
        break;
    case CDP_PIN_COMPACT:
    case CDP_PIN_SPREAD:
        break;
    }
    return cdp_os_move(worker->thread_number, cpu) ? cpu : -1;
}

static void *thread_main(void *argument)
{
    struct cdp_worker *worker = argument;
    while (atomic_load(&worker->pool->is_complete) == 0) {
        cdp_os_wait(&worker->pool->is_complete, 0);
    }
    worker->thread_number = cdp_os_thread_number();
    /* Release: a thread that wants to move this one then knows its number. */
    atomic_store_explicit(&worker->pinned_cpu, pin(worker) + 1, memory_order_release);
    worker->pool->main(worker);
    return NULL;
}

static bool is_pinned_to(const struct cdp_pool *pool, int cpu)
{
    for (unsigned i = 0; i < pool->count; i++) {
        if (atomic_load_explicit(&pool->workers[i]->pinned_cpu, memory_order_acquire) == cpu + 1) {
            return true;
        }
    }
    return false;
}

bool cdp_pool_shares_cpu(const struct cdp_pool *pool)
{
    return pool->pin != CDP_PIN_NONE && is_pinned_to(pool, cdp_os_current_cpu());
}

/* Pins a worker to a CPU that no worker has, and on which no host thread is known to run. */
static bool move(struct cdp_worker *worker, int here)
{
    struct cdp_pool *pool = worker->pool;
    int host = atomic_load_explicit(&pool->host_cpu, memory_order_relaxed) - 1;
    int cpu = here;
    for (unsigned i = 1; i < cdp_os_cpu_count(); i++) {
        cpu = cdp_os_next_cpu(cpu);
        if (cpu != here && cpu != host && !is_pinned_to(pool, cpu) &&
            cdp_os_move(worker->thread_number, cpu)) {
            atomic_store_explicit(&worker->pinned_cpu, cpu + 1, memory_order_release);
            return true;
        }
    }
    return false;
}

/* Moves are at least this far apart: the workers must not follow a host thread that changes its CPU
 * often. */
enum { MOVE_NS = 1000000 };

/* One thread at a time, so that each sees where the previous ones have put workers. */
static bool try_to_move(struct cdp_worker *worker, int here)
{
    struct cdp_pool *pool = worker->pool;
    uint64_t now = cdp_os_now();
    /* Relaxed: a hint; the exchange orders. */
    if (now - atomic_load_explicit(&pool->moved_at, memory_order_relaxed) < MOVE_NS ||
        atomic_exchange_explicit(&pool->is_moving, true, memory_order_acquire)) {
        return false;
    }
    bool moves = move(worker, here);
    atomic_store_explicit(&pool->moved_at, now, memory_order_relaxed);
    atomic_store_explicit(&pool->is_moving, false, memory_order_release);
    return moves;
}

bool cdp_pool_move_away(struct cdp_pool *pool)
{
    return pool->count == 1 && try_to_move(pool->workers[0], cdp_os_current_cpu());
}

void cdp_pool_make_way(struct cdp_worker *worker, int here)
{
    int pinned = atomic_load_explicit(&worker->pinned_cpu, memory_order_acquire);
    if (worker->pool->pin == CDP_PIN_ANY && pinned != 0 &&
        (pinned == here + 1 ||
         pinned == atomic_load_explicit(&worker->pool->host_cpu, memory_order_relaxed))) {
        (void)try_to_move(worker, here);
    }
}

static int create_thread(struct cdp_worker *worker)
{
    pthread_attr_t attributes;
    size_t stack_bytes = worker->pool->stack_bytes;
    if (cdp_alloc_fails() || pthread_attr_init(&attributes) != 0) {
        return EAGAIN;
    }
    if (stack_bytes != 0) {
        (void)pthread_attr_setstacksize(&attributes, stack_bytes);
    }
    int error = pthread_create(&worker->thread, &attributes, thread_main, worker);
    pthread_attr_destroy(&attributes);
    return error;
}

/* The host's signals are for the host's threads. */
static bool start_thread(struct cdp_worker *worker)
{
    static const int own[] = {CDP_OS_FAULT_SIGNALS};
    sigset_t all, old;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        sigdelset(&all, own[i]);
    }
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = create_thread(worker);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error == 0;
}

static void join(struct cdp_pool *pool)
{
    atomic_store(&pool->stopping, true);
    for (unsigned i = 0; i < pool->count; i++) {
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

/* Starts threads until the system refuses. A worker without a thread is then no worker, except for
 * the first one. */
static void start_threads(struct cdp_pool *pool)
{
    unsigned i = 0;
    while (i < pool->count && (!pool->workers[i]->has_thread || start_thread(pool->workers[i]))) {
        i++;
    }
    if (i == 0) {
        pool->workers[0]->has_thread = false;
        i = 1;
    }
    for (unsigned without = i; without < pool->count; without++) {
        cdp_deque_finish(&pool->workers[without]->deque);
    }
    pool->count = i;
}

bool cdp_pool_start(struct cdp_pool *pool)
{
    pool->asymmetric_fences = cdp_os_membarrier_register();
    atomic_init(&pool->stopping, false);
    if (!init_workers(pool)) {
        return false;
    }
    if (pool->pin == CDP_PIN_COMPACT || pool->pin == CDP_PIN_SPREAD) {
        place_workers(pool);
    }
    start_threads(pool);
    pool->keeps = pool->asymmetric_fences && pool->count > 1;
    atomic_store(&pool->is_complete, 1);
    cdp_os_wake(&pool->is_complete, INT32_MAX);
    return true;
}

void cdp_pool_stop(struct cdp_pool *pool)
{
    join(pool);
    finish_deques(pool, pool->count);
}
