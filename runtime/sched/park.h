/* Sleeping and waking without lost wake-ups.
 *
 * The handshake is Dekker's: a sleeper sets its flag and then looks for work once
 * more; whoever publishes work then looks at the flag.  Between its store and its
 * load each side needs a fence.  Publishing is common and sleeping is rare, so the
 * sleeper makes both, by membarrier; where the kernel has none, both sides fence. */
#ifndef CDP_SCHED_PARK_H
#define CDP_SCHED_PARK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/attr.h"
#include "sched/worker.h"

/* Called when a worker has found nothing: spins for a while calling look(worker),
 * which returns true when there is work or the worker should do something else,
 * then sleeps until woken.  Returns after look succeeded or after a sleep. */
void cdp_park_idle(struct cdp_worker *worker, bool (*look)(struct cdp_worker *worker));

/* The fence of those who publish, and of the sleeper: each between its store and its load. */
static inline void cdp_park_light_fence(const struct cdp_pool *pool)
{
    if (CDP_LIKELY(pool->asymmetric_fences)) {
        atomic_signal_fence(memory_order_seq_cst); /* the sleeper's membarrier does the rest */
    } else {
        atomic_thread_fence(memory_order_seq_cst);
    }
}

/* After publishing work for anybody by a relaxed or release store. */
void cdp_park_wake_any(struct cdp_pool *pool);
/* The same in parts: whether anybody sleeps, and waking one. */
static inline bool cdp_park_anybody_sleeps(const struct cdp_pool *pool)
{
    cdp_park_light_fence(pool);
    return atomic_load_explicit(&pool->sleepers, memory_order_relaxed) != 0;
}
void cdp_park_wake_one(struct cdp_pool *pool);
/* Whether a sleeper looks now and then. */
bool cdp_park_somebody_watches(const struct cdp_pool *pool);
/* A host thread that lends itself to the first worker begins or ends to. */
void cdp_park_help(struct cdp_pool *pool, bool begins);
/* Wakes this worker if it sleeps. */
void cdp_park_wake(struct cdp_worker *worker);

#endif
