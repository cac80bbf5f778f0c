/* A worker's deque of offers (Chase and Lev, with the orders of Le et al.): the
 * owner pushes and pops at the bottom, thieves take from the top.
 *
 * The push has no fence: a sleeper that looks at the deque once more before it
 * sleeps makes the fence for both sides (sched/park.h). */
#ifndef CDP_SCHED_DEQUE_H
#define CDP_SCHED_DEQUE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "sched/task.h"

struct cdp_deque_slot {
    _Atomic(struct cdp_task *) task; /* the owner writes, thieves read */
    _Atomic uint64_t range;          /* last << 32 | first */
};

/* A ring of slots.  Outgrown rings are kept until finish: a thief may still read. */
struct cdp_deque_ring {
    int64_t mask;
    struct cdp_deque_ring *older;
    struct cdp_deque_slot slots[];
};

struct cdp_deque {
    alignas(CDP_CACHE_LINE) _Atomic int64_t bottom; /* only the owner writes */
    _Atomic(struct cdp_deque_ring *) ring;          /* only the owner writes */
    alignas(CDP_CACHE_LINE) _Atomic int64_t top;    /* owner and thieves, by exchange */
};

/* A thief's memory of one lone offer: tiny work is faster done by its owner, so a
 * deque's only offer, if it is of one part, is taken when it was there on several looks. */
struct cdp_deque_look {
    struct cdp_deque *victim; /* the one watched; NULL: none */
    int64_t top;
    const struct cdp_task *task;
    unsigned count;
};

bool cdp_deque_init(struct cdp_deque *deque) CDP_MUST_CHECK;
void cdp_deque_finish(struct cdp_deque *deque);

/* Owner only.  False when the ring cannot grow: nothing was pushed. */
bool cdp_deque_push(struct cdp_deque *deque, struct cdp_offer offer) CDP_MUST_CHECK;
/* Owner only.  alone: no other thread steals, so no fence is needed. */
bool cdp_deque_pop(struct cdp_deque *deque, bool alone, struct cdp_offer *out);
/* Any other thread.  False: empty, lost a race, or a lone offer too young. */
bool cdp_deque_steal(struct cdp_deque *deque, struct cdp_deque_look *look, struct cdp_offer *out);

/* Whether there seems to be anything; for a last look before sleeping. */
static inline bool cdp_deque_seems_empty(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->bottom, memory_order_relaxed) <=
           atomic_load_explicit(&deque->top, memory_order_relaxed);
}

#endif
