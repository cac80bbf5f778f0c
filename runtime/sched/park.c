/* Sleeping and waking. */
#include "sched/park.h"

#include "os/cpu.h"
#include "os/os.h"

void cdp_park_wake(struct cdp_worker *worker)
{
    if (atomic_load(&worker->sleeping) != 0 && atomic_exchange(&worker->sleeping, 0) != 0) {
        int here = cdp_os_current_cpu();
        atomic_fetch_sub(&worker->pool->sleepers, 1);
        atomic_store_explicit(&worker->waker_cpu, here + 1, memory_order_relaxed);
        cdp_pool_make_way(worker, here);
        cdp_os_wake(&worker->sleeping, 1);
    }
}

void cdp_park_wake_one(struct cdp_pool *pool)
{
    for (unsigned i = 0; i < pool->count; i++) {
        if (atomic_load_explicit(&pool->workers[i]->sleeping, memory_order_relaxed) != 0) {
            cdp_park_wake(pool->workers[i]);
            return;
        }
    }
}

static void heavy_fence(const struct cdp_pool *pool)
{
    if (pool->asymmetric_fences) {
        cdp_os_membarrier();
    }
    atomic_thread_fence(memory_order_seq_cst);
}

void cdp_park_help(struct cdp_pool *pool, bool begins)
{
    /* Relaxed: the fence, before the reads of watchers that follow, pairs with the one in
     * sleep_deeply. */
    atomic_store_explicit(&pool->is_helped, begins, memory_order_relaxed);
    cdp_park_light_fence(pool);
}

void cdp_park_wake_any(struct cdp_pool *pool)
{
    if (CDP_UNLIKELY(cdp_park_anybody_sleeps(pool))) {
        cdp_park_wake_one(pool);
    }
}

bool cdp_park_somebody_watches(const struct cdp_pool *pool)
{
    return atomic_load(&pool->watchers) != 0;
}

static void withdraw(struct cdp_worker *worker)
{
    if (atomic_exchange(&worker->sleeping, 0) != 0) {
        atomic_fetch_sub(&worker->pool->sleepers, 1);
    }
}

/* A worker must not spin on the CPU of the thread that woke it. The system tends to put the two
 * there together, and then the other thread waits for the CPU. */
static bool may_spin(const struct cdp_worker *worker)
{
    return atomic_load_explicit(&worker->waker_cpu, memory_order_relaxed) !=
           cdp_os_current_cpu() + 1;
}

/* The time between two polls by all watchers together. It is approximate, because each watcher
 * reads the number of sleepers only when it begins to wait. */
enum { LOOK_NS = 1000000 };

/* Whether any worker is active. Such a worker may have offers for which it wakes no other. */
static bool anybody_works(const struct cdp_pool *pool)
{
    unsigned others = pool->workers[0]->has_thread || atomic_load(&pool->is_helped);
    return pool->count - 1 + others > atomic_load(&pool->sleepers);
}

/* Waits without polls until woken, unless some worker is active after all. */
static void sleep_deeply(struct cdp_worker *worker)
{
    struct cdp_pool *pool = worker->pool;
    /* A worker that becomes active after the test sees that no worker watches. */
    atomic_fetch_sub(&pool->watchers, 1);
    heavy_fence(pool);
    if (!anybody_works(pool)) {
        cdp_os_wait(&worker->sleeping, 1);
    }
    atomic_fetch_add(&pool->watchers, 1);
}

/* Sleeps until woken, or until look finds work for which no worker is woken. */
static void sleep(struct cdp_worker *worker, bool (*look)(struct cdp_worker *worker))
{
    const struct cdp_pool *pool = worker->pool;
    while (atomic_load(&worker->sleeping) != 0) {
        if (!anybody_works(pool)) {
            sleep_deeply(worker);
            continue;
        }
        /* Relaxed: a guess. */
        uint64_t sleepers = atomic_load_explicit(&pool->sleepers, memory_order_relaxed);
        cdp_os_wait_for(&worker->sleeping, 1, sleepers * LOOK_NS);
        if (atomic_load(&worker->sleeping) != 0 && look(worker)) {
            withdraw(worker);
        }
    }
}

/* True if look succeeded. */
static bool spin(struct cdp_worker *worker, bool (*look)(struct cdp_worker *worker))
{
    uint64_t most = may_spin(worker) ? (uint64_t)worker->pool->spin_us * 1000 : 0;
    uint64_t now = cdp_os_now(), end = now + most;
    do {
        worker->spins_on = false;
        if (look(worker)) {
            return true;
        }
        for (int i = 0; i < 8; i++) {
            cdp_os_pause();
        }
        now = cdp_os_now();
        if (worker->spins_on) {
            end = now + most;
        }
    } while (now < end);
    return false;
}

/* The form of spin() if there is only one CPU. A worker that looks there keeps other threads from
 * running, so it looks rarely. Meanwhile it is no sleeper, because each launch wakes a sleeper.
 * True if look succeeded. */
static bool doze(struct cdp_worker *worker, bool (*look)(struct cdp_worker *worker))
{
    while (worker->spins_on) {
        cdp_os_wait_for(&worker->sleeping, 0, LOOK_NS);
        worker->spins_on = false;
        if (look(worker)) {
            return true;
        }
    }
    return false;
}

/* Called after a wake-up if there is only one CPU. The system often runs the woken thread at once.
 * But the thread that launched may be about to wait, and then runs its grid itself, without two
 * switches. A message can only be for this worker. */
static void make_room(struct cdp_worker *worker)
{
    enum { NAP_NS = 50000 };
    if (!worker->is_prompt && cdp_mailbox_seems_empty(&worker->mail) &&
        !atomic_load(&worker->pool->stopping)) {
        cdp_os_wait_for(&worker->sleeping, 0, NAP_NS);
    }
}

void cdp_park_idle(struct cdp_worker *worker, bool (*look)(struct cdp_worker *worker))
{
    struct cdp_pool *pool = worker->pool;
    bool is_crowded = cdp_os_cpu_count() == 1;
    if (is_crowded ? doze(worker, look) : spin(worker, look)) {
        return;
    }
    atomic_fetch_add(&pool->watchers, 1);
    atomic_fetch_add(&pool->sleepers, 1);
    atomic_store(&worker->sleeping, 1);
    heavy_fence(pool);
    if (look(worker)) {
        withdraw(worker);
    } else {
        sleep(worker, look);
    }
    atomic_fetch_sub(&pool->watchers, 1);
    if (is_crowded) {
        make_room(worker);
    }
}
