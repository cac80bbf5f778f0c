/* Sleeping and waking without lost wake-ups.
 *
 * The handshake is Dekker's: a sleeper sets its flag and then looks for work once
 * more; whoever publishes work then looks at the flag.  Between its store and its
 * load each side needs a fence.  Publishing is common and sleeping is rare, so the
 * sleeper makes both, by membarrier; where the kernel has none, both sides fence. */
#ifndef CDP_SCHED_PARK_H
#define CDP_SCHED_PARK_H

#include <stdbool.h>

#include "sched/worker.h"

/* Called when a worker has found nothing: spins for a while calling look(worker),
 * which returns true when there is work or the worker should do something else,
 * then sleeps until woken.  Returns after look succeeded or after a sleep. */
void cdp_park_idle(struct cdp_worker *worker, bool (*look)(struct cdp_worker *worker));

/* After publishing work for anybody by a relaxed or release store. */
void cdp_park_wake_any(struct cdp_pool *pool);
/* The same in parts: whether anybody sleeps, and waking one. */
bool cdp_park_anybody_sleeps(const struct cdp_pool *pool);
void cdp_park_wake_one(struct cdp_pool *pool);
/* Whether a sleeper looks now and then. */
bool cdp_park_somebody_watches(const struct cdp_pool *pool);
/* A host thread that lends itself to the first worker begins or ends to. */
void cdp_park_help(struct cdp_pool *pool, bool begins);
/* Wakes this worker if it sleeps. */
void cdp_park_wake(struct cdp_worker *worker);

#endif
