/* With CDP_SEED host and worker alternate. This module decides which of them runs.
 *
 * A run can be repeated if the device proceeds at the same points of the host's program each time.
 * So the one worker stops while host code runs. Each call of the host grants it a number of steps
 * that depends on the seed. A host thread that waits lets the worker run until the awaited event
 * has happened. A step is the worker's activity between two calls of cdp_turn_step.
 *
 * A host thread may also wait unknown to the runtime, for memory that a kernel writes or for a lock
 * that a callback releases. So if there is work and no thread has made a call for a second, the
 * worker overtakes the host and runs until it finds nothing to do. The host's next call waits for
 * that. The system chooses the order of several host threads, and of a host function and the rest
 * of the program, as without a seed. */
#ifndef CDP_SCHED_TURN_H
#define CDP_SCHED_TURN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/lock.h"

/* A host thread that waits. Stored on its stack, and in turn->waits until finished. */
struct cdp_turn_wait {
    bool (*done)(void *arg);
    void *arg;
    bool finished;
    struct cdp_turn_wait *next;
};

/* Life: that of the engine. Invariant: worker_runs is false only while the worker sleeps in
 * cdp_turn_step or cdp_turn_idle, or before its first step. */
struct cdp_turn {
    uint32_t credit;   /* steps until the worker requests more; only the worker accesses it */
    _Atomic bool news; /* the worker requests a decision at its next step; any thread sets it */
    struct cdp_lock lock;
    pthread_cond_t worker, host;           /* the condition on which each side sleeps, under lock */
    uint64_t random CDP_GUARDED_BY(&lock); /* generator of the steps that calls grant */
    uint32_t habit CDP_GUARDED_BY(&lock);  /* const: how many steps calls usually grant */
    uint32_t budget CDP_GUARDED_BY(&lock); /* steps granted and not begun */
    uint32_t calls CDP_GUARDED_BY(&lock);  /* number of the host's calls so far */
    struct cdp_turn_wait *waits CDP_GUARDED_BY(&lock);
    bool worker_runs CDP_GUARDED_BY(&lock);
    bool idle CDP_GUARDED_BY(&lock);       /* the worker found nothing to do */
    bool work CDP_GUARDED_BY(&lock);       /* work was added since the worker last tested this */
    bool overtakes CDP_GUARDED_BY(&lock);  /* the worker runs until idle */
    bool in_call CDP_GUARDED_BY(&lock);    /* the worker runs a host function */
    bool call_waits CDP_GUARDED_BY(&lock); /* that host function seems to wait for the host */
    bool stopping CDP_GUARDED_BY(&lock);
};

bool cdp_turn_init(struct cdp_turn *turn, uint32_t seed) CDP_MUST_CHECK;
void cdp_turn_finish(struct cdp_turn *turn);

/* ---- The worker's side ---- */

void cdp_turn_ask(struct cdp_turn *turn);
/* A point where the host may run before the worker continues. */
static inline void cdp_turn_step(struct cdp_turn *turn)
{
    /* Relaxed: news are read under the lock. */
    if (CDP_LIKELY(turn->credit != 0 && !atomic_load_explicit(&turn->news, memory_order_relaxed))) {
        turn->credit--;
        return;
    }
    cdp_turn_ask(turn);
}
/* The worker has nothing to do. Returns when there may be work and the worker may run. */
void cdp_turn_idle(struct cdp_turn *turn);
/* Around a host function, which may wait for its program. */
void cdp_turn_call_begins(struct cdp_turn *turn);
void cdp_turn_call_ended(struct cdp_turn *turn);

/* ---- The host's side ---- */

/* A call of the host: grants the worker some steps, and returns when they are done. */
void cdp_turn_lend(struct cdp_turn *turn);
/* Lets the worker run until done(arg) is true. done must only read: it is called on the worker's
 * thread. */
void cdp_turn_await(struct cdp_turn *turn, bool (*done)(void *arg), void *arg);
/* A host thread did something that another thread may wait for. */
void cdp_turn_notify(struct cdp_turn *turn);

/* ---- Any thread's ---- */

/* There is new work for the worker. */
void cdp_turn_give(struct cdp_turn *turn);
/* The worker no longer alternates with the host. */
void cdp_turn_stop(struct cdp_turn *turn);

#endif
