/* Sleeping and waking. */
#include "sched/park.h"

#include "os/os.h"

void cdp_park_wake(struct cdp_worker *worker)
{
    if (atomic_load(&worker->sleeping) != 0 && atomic_exchange(&worker->sleeping, 0) != 0) {
        atomic_fetch_sub(&worker->pool->sleepers, 1);
        atomic_store_explicit(&worker->waker_cpu, cdp_os_current_cpu() + 1, memory_order_relaxed);
        cdp_os_wake(&worker->sleeping, 1);
    }
}

static void wake_one(struct cdp_pool *pool)
{
    for (unsigned i = 0; i < pool->count; i++) {
        if (atomic_load_explicit(&pool->workers[i]->sleeping, memory_order_relaxed) != 0) {
            cdp_park_wake(pool->workers[i]);
            return;
        }
    }
}

void cdp_park_wake_any(struct cdp_pool *pool)
{
    if (pool->asymmetric_fences) {
        atomic_signal_fence(memory_order_seq_cst); /* the sleeper's membarrier does the rest */
    } else {
        atomic_thread_fence(memory_order_seq_cst);
    }
    if (CDP_UNLIKELY(atomic_load_explicit(&pool->sleepers, memory_order_relaxed) != 0)) {
        wake_one(pool);
    }
}

static void withdraw(struct cdp_worker *worker)
{
    if (atomic_exchange(&worker->sleeping, 0) != 0) {
        atomic_fetch_sub(&worker->pool->sleepers, 1);
    }
}

/* Not on the CPU of the thread that woke this one: the system likes to put the two there
 * together, and the other then waits for the CPU. */
static bool may_spin(const struct cdp_worker *worker)
{
    return atomic_load_explicit(&worker->waker_cpu, memory_order_relaxed) !=
           cdp_os_current_cpu() + 1;
}

void cdp_park_idle(struct cdp_worker *worker, bool (*look)(struct cdp_worker *worker))
{
    struct cdp_pool *pool = worker->pool;
    uint64_t end = cdp_os_now() + (may_spin(worker) ? (uint64_t)pool->spin_us * 1000 : 0);
    do {
        if (look(worker)) {
            return;
        }
        for (int i = 0; i < 8; i++) {
            cdp_os_pause();
        }
    } while (cdp_os_now() < end);
    atomic_fetch_add(&pool->sleepers, 1);
    atomic_store(&worker->sleeping, 1);
    if (pool->asymmetric_fences) {
        cdp_os_membarrier();
    }
    atomic_thread_fence(memory_order_seq_cst);
    if (look(worker)) {
        withdraw(worker);
        return;
    }
    while (atomic_load(&worker->sleeping) != 0) {
        cdp_os_wait(&worker->sleeping, 1);
    }
}
