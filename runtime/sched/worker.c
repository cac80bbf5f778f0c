/* How a worker offers and finds work. */
#include "sched/worker.h"

#include "base/valid.h"
#include "os/cpu.h"
#include "sched/park.h"

enum { MOST_LONE_STEP = 1 << 16 };

/* Whether a single, tiny offer that was just pushed is worth a wake. */
static bool is_worth_a_wake(struct cdp_worker *worker)
{
    struct cdp_lone_wakes *wakes = &worker->lone_wakes;
    /* Relaxed: the owner's own value, and a guess. */
    uint32_t offers = atomic_load_explicit(&worker->deque.pushes, memory_order_relaxed) +
                      (uint32_t)worker->deque.kept.last_number;
    uint32_t thefts = atomic_load_explicit(&worker->deque.thefts, memory_order_relaxed);
    if (thefts != wakes->thefts) {
        wakes->thefts = thefts;
        wakes->step = 1;
    } else if ((int32_t)(offers - wakes->next_at) < 0) {
        return false;
    } else if (wakes->step < MOST_LONE_STEP) {
        wakes->step = wakes->step != 0 ? 2 * wakes->step : 1;
    }
    wakes->next_at = offers + wakes->step;
    return true;
}

void cdp_worker_wake_for(struct cdp_worker *worker, struct cdp_offer offer)
{
    struct cdp_pool *pool = worker->pool;
    /* With one CPU a woken worker gains no time. It finds by itself what stays here for long. */
    if (cdp_os_cpu_count() == 1 && cdp_park_somebody_watches(pool)) {
        return;
    }
    bool is_tiny = offer.last - offer.first == 1 && cdp_deque_has_one(&worker->deque);
    if (!is_tiny || !cdp_park_somebody_watches(pool) || is_worth_a_wake(worker)) {
        cdp_park_wake_one(pool);
    }
}

bool cdp_worker_push(struct cdp_worker *worker, struct cdp_offer offer)
{
    struct cdp_pool *pool = worker->pool;
    if (!cdp_deque_push(&worker->deque, offer)) {
        return false;
    }
    CDP_CHECK_VALID(cdp_deque_is_valid(&worker->deque, pool->count == 1));
    if (pool->count > 1 && CDP_UNLIKELY(cdp_park_anybody_sleeps(pool))) {
        cdp_worker_wake_for(worker, offer);
    }
    return true;
}

bool cdp_worker_pop(struct cdp_worker *worker, struct cdp_offer *out)
{
    struct cdp_task *kept = cdp_deque_take_kept(&worker->deque);
    if (kept != NULL) {
        *out = cdp_offer_whole(kept);
        return true;
    }
    return cdp_deque_pop(&worker->deque, worker->pool->count == 1, out);
}

/* Polls the watched deque first. Otherwise its offer would never age. */
static bool steal_watched(struct cdp_worker *worker, struct cdp_offer *out)
{
    struct cdp_deque *watched = worker->look.victim;
    if (watched == NULL) {
        return false;
    }
    worker->look.closely = true;
    if (cdp_deque_steal(watched, &worker->look, out)) {
        return true;
    }
    if (cdp_deque_seems_empty(watched)) {
        worker->look.victim = NULL;
    }
    return false;
}

/* Steals from workers of the own node, or from the others. */
static bool steal_from(struct cdp_worker *worker, bool own, unsigned start, struct cdp_offer *out)
{
    struct cdp_pool *pool = worker->pool;
    for (unsigned i = 0; i < pool->count; i++) {
        unsigned at = start + i < pool->count ? start + i : start + i - pool->count;
        struct cdp_worker *victim = pool->workers[at];
        if (victim != worker && (victim->node == worker->node) == own &&
            &victim->deque != worker->look.victim &&
            cdp_deque_steal(&victim->deque, &worker->look, out)) {
            return true;
        }
    }
    return false;
}

/* The work that a worker must take before it goes to sleep. */
static bool steal_idle(struct cdp_worker *worker, struct cdp_offer *out)
{
    struct cdp_pool *pool = worker->pool;
    for (unsigned i = 0; i < pool->count; i++) {
        if (pool->workers[i] != worker && cdp_deque_steal_idle(&pool->workers[i]->deque, out)) {
            return true;
        }
    }
    return false;
}

/* One in this many rounds polls also the offers that are not open. */
enum { ROUNDS_PER_CLOSE_LOOK = 4 };

bool cdp_worker_steal(struct cdp_worker *worker, struct cdp_offer *out)
{
    struct cdp_pool *pool = worker->pool;
    if (pool->count == 1) {
        return false;
    }
    /* Relaxed: this thread sets it, and a thread that clears it has published before. */
    if (atomic_load_explicit(&worker->sleeping, memory_order_relaxed) != 0) {
        return steal_idle(worker, out);
    }
    if (steal_watched(worker, out)) {
        return true;
    }
    worker->look.closely = worker->look.rounds++ % ROUNDS_PER_CLOSE_LOOK == 0;
    unsigned start = (unsigned)(cdp_worker_random(worker) >> 33) % pool->count;
    return steal_from(worker, true, start, out) ||
           (pool->has_nodes && steal_from(worker, false, start, out));
}

void cdp_pool_inject(struct cdp_pool *pool, struct cdp_task *task)
{
    cdp_mailbox_put(&pool->injected, task);
    if (CDP_UNLIKELY(cdp_park_anybody_sleeps(pool))) {
        atomic_store_explicit(&pool->host_cpu, cdp_os_current_cpu() + 1, memory_order_relaxed);
        cdp_park_wake_one(pool);
    }
}

void cdp_worker_post(struct cdp_worker *to, struct cdp_task *task)
{
    cdp_mailbox_put(&to->mail, task);
    cdp_park_wake(to);
}
