/* Sleeping and waking without lost wake-ups.
 *
 * The handshake is Dekker's. A sleeper sets its flag and then polls for work once more. A publisher
 * of work then tests the flag. Each side needs a fence between its store and its load. Publishing
 * is frequent and sleeping is rare, so the sleeper makes both fences, by membarrier. If the kernel
 * has none, both sides have a fence. */
#ifndef CDP_SCHED_PARK_H
#define CDP_SCHED_PARK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/attr.h"
#include "sched/worker.h"

/* To be called when a worker has found nothing. It spins for a while and calls look(worker), which
 * returns true if there is work or the worker should do something else. Then it sleeps until woken.
 * Returns after look succeeded or after a sleep. */
void cdp_park_idle(struct cdp_worker *worker, bool (*look)(struct cdp_worker *worker));

/* The fence of publishers and of the sleeper, each between its store and its load. */
static inline void cdp_park_light_fence(const struct cdp_pool *pool)
{
    if (CDP_LIKELY(pool->asymmetric_fences)) {
        atomic_signal_fence(memory_order_seq_cst); /* the sleeper's membarrier does the rest */
    } else {
        atomic_thread_fence(memory_order_seq_cst);
    }
}

/* To be called after work for any worker was published by a relaxed or release store. */
void cdp_park_wake_any(struct cdp_pool *pool);
/* The two parts of cdp_park_wake_any: whether any worker sleeps, and the wake-up of one worker. */
static inline bool cdp_park_anybody_sleeps(const struct cdp_pool *pool)
{
    cdp_park_light_fence(pool);
    return atomic_load_explicit(&pool->sleepers, memory_order_relaxed) != 0;
}
void cdp_park_wake_one(struct cdp_pool *pool);
/* Whether a sleeping worker polls from time to time. */
bool cdp_park_somebody_watches(const struct cdp_pool *pool);
/* A host thread starts or ends running blocks in place of the first worker. */
void cdp_park_help(struct cdp_pool *pool, bool begins);
/* Wakes this worker if it sleeps. */
void cdp_park_wake(struct cdp_worker *worker);

#endif
