/* Whose turn it is with CDP_SEED: the host's or the worker's.
 *
 * A run can be repeated if the device goes on at the same places of the host's program
 * each time.  So the one worker holds still while host code runs; each call of the host
 * lends it a number of steps that depends on the seed, and a host thread that waits lets
 * it run until what it waits for is done.  A step is what the worker does between two
 * calls of cdp_turn_step.
 *
 * A host thread may also wait without telling us, for memory that a kernel writes or a
 * lock that a callback releases.  So when nobody has called for a second though there
 * is work, the worker overtakes the host, and runs until it finds nothing to do; the
 * host's next call waits for that.  What several host threads do at once, and a host
 * function beside its program, is the system's choice as ever. */
#ifndef CDP_SCHED_TURN_H
#define CDP_SCHED_TURN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/lock.h"

/* A host thread that waits.  Lives on its stack, in turn->waits until finished. */
struct cdp_turn_wait {
    bool (*done)(void *arg);
    void *arg;
    bool finished;
    struct cdp_turn_wait *next;
};

/* Life: the engine's.
 * Invariant: worker_runs is false only while the worker sleeps in cdp_turn_step,
 * cdp_turn_idle or before its first. */
struct cdp_turn {
    uint32_t credit;   /* steps until the worker asks; the worker's own */
    _Atomic bool news; /* the worker asks at its next step; anybody sets */
    struct cdp_lock lock;
    pthread_cond_t worker, host;           /* what each side sleeps on, under lock */
    uint64_t random CDP_GUARDED_BY(&lock); /* of what the host's calls lend */
    uint32_t habit CDP_GUARDED_BY(&lock);  /* const: how much they tend to lend */
    uint32_t budget CDP_GUARDED_BY(&lock); /* steps lent and not begun */
    uint32_t calls CDP_GUARDED_BY(&lock);  /* of the host so far */
    struct cdp_turn_wait *waits CDP_GUARDED_BY(&lock);
    bool worker_runs CDP_GUARDED_BY(&lock);
    bool idle CDP_GUARDED_BY(&lock);       /* the worker found nothing to do */
    bool work CDP_GUARDED_BY(&lock);       /* something was given since it looked */
    bool overtakes CDP_GUARDED_BY(&lock);  /* the worker runs until idle */
    bool in_call CDP_GUARDED_BY(&lock);    /* the worker runs a host function, */
    bool call_waits CDP_GUARDED_BY(&lock); /* which seems to wait for the host */
    bool stopping CDP_GUARDED_BY(&lock);
};

bool cdp_turn_init(struct cdp_turn *turn, uint32_t seed) CDP_MUST_CHECK;
void cdp_turn_finish(struct cdp_turn *turn);

/* ---- The worker's side ---- */

void cdp_turn_ask(struct cdp_turn *turn);
/* A place where the host may go on before the worker does. */
static inline void cdp_turn_step(struct cdp_turn *turn)
{
    /* Relaxed: news are read under the lock. */
    if (CDP_LIKELY(turn->credit != 0 && !atomic_load_explicit(&turn->news, memory_order_relaxed))) {
        turn->credit--;
        return;
    }
    cdp_turn_ask(turn);
}
/* There is nothing to do; returns when there may be, and it is the worker's turn. */
void cdp_turn_idle(struct cdp_turn *turn);
/* Around a host function, which may wait for its program. */
void cdp_turn_call_begins(struct cdp_turn *turn);
void cdp_turn_call_ended(struct cdp_turn *turn);

/* ---- The host's side ---- */

/* A call of the host: lends the worker some steps, and returns when they are done. */
void cdp_turn_lend(struct cdp_turn *turn);
/* Lets the worker run until done(arg), which must be a mere look: it is called on the
 * worker's thread. */
void cdp_turn_await(struct cdp_turn *turn, bool (*done)(void *arg), void *arg);
/* A host thread did what another may wait for. */
void cdp_turn_tell(struct cdp_turn *turn);

/* ---- Any thread's ---- */

/* There is new work for the worker. */
void cdp_turn_give(struct cdp_turn *turn);
/* The worker need not wait for turns any more. */
void cdp_turn_stop(struct cdp_turn *turn);

#endif
