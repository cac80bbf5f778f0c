/* A worker's deque of offers (Chase and Lev, with the orders of Le et al.): the
 * owner pushes and pops at the bottom, thieves take from the top.
 *
 * The push has no fence: a sleeper that looks at the deque once more before it
 * sleeps makes the fence for both sides (sched/park.h).
 *
 * Nor has the pop, as a rule.  Only the oldest offers, those below open, are for any
 * thief, and to take one of these back costs the owner a fence.  It opens half of what it
 * has, the older half, when none is open any more.  So tiny tasks that launch tiny tasks go
 * in and out unfenced at the bottom, and a thief still finds what is worth most.
 *
 * An owner that is at a long task opens nothing.  A thief that has seen it idle for a while
 * may raid it: take what is not open, and make the fence for both sides itself, by
 * membarrier.  That interrupts all workers, so the owner opens everything for a while
 * afterwards.  Where the kernel has no membarrier everything is always open. */
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

/* Invariant: open <= bottom once a push or pop is over; an offer at or above open is taken
 * by its owner or by raiders only. */
struct cdp_deque {
    alignas(CDP_CACHE_LINE) _Atomic int64_t bottom; /* only the owner writes */
    _Atomic(struct cdp_deque_ring *) ring;          /* only the owner writes */
    _Atomic uint32_t pushes;                        /* only the owner writes: it is at work */
    bool asymmetric;                                /* raiders can make the fence; const */
    /* What thieves look at first, and the owner seldom writes. */
    alignas(CDP_CACHE_LINE) _Atomic int64_t top; /* owner and thieves, by exchange */
    _Atomic int64_t open;                        /* only the owner writes */
    _Atomic uint32_t raiders;                    /* thieves that are about to take any offer */
    _Atomic uint32_t hurry;  /* pushes that open all; raiders set, the owner counts down */
    _Atomic uint32_t thefts; /* so far; thieves count */
};

/* A thief's memory of one offer that is not for the taking yet.  Tiny work is faster done by
 * its owner, so a deque's only offer, if it is of one part, must have been there on several
 * looks, without the owner at work; and one that is not open on many. */
struct cdp_deque_look {
    struct cdp_deque *victim; /* the one watched; NULL: none */
    int64_t top;
    uint32_t pushes;
    unsigned count;
    unsigned rounds; /* of looks at all others */
    bool closely;    /* this one is at what is not open, too */
};

/* asymmetric: this process is registered for membarrier. */
bool cdp_deque_init(struct cdp_deque *deque, bool asymmetric) CDP_MUST_CHECK;
void cdp_deque_finish(struct cdp_deque *deque);

/* Owner only.  False when the ring cannot grow: nothing was pushed. */
bool cdp_deque_push(struct cdp_deque *deque, struct cdp_offer offer) CDP_MUST_CHECK;
/* Owner only.  alone: no other thread steals, so no fence is needed. */
bool cdp_deque_pop(struct cdp_deque *deque, bool alone, struct cdp_offer *out);
/* Owner only: the oldest offer, as thieves get it. */
bool cdp_deque_pop_oldest(struct cdp_deque *deque, struct cdp_offer *out);
/* Owner only, between long tasks: opens all offers. */
void cdp_deque_share(struct cdp_deque *deque);
/* Any other thread.  False: empty, lost a race, or not for the taking yet. */
bool cdp_deque_steal(struct cdp_deque *deque, struct cdp_deque_look *look, struct cdp_offer *out);
/* Any other thread, after it has told pushing owners that it sleeps (sched/park.h): takes any
 * offer at which the owner is not at work.  False: there is none, or the owner has pushed
 * since. */
bool cdp_deque_steal_idle(struct cdp_deque *deque, struct cdp_offer *out);

/* Whether there seems to be anything; for a last look before sleeping. */
static inline bool cdp_deque_seems_empty(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->bottom, memory_order_relaxed) <=
           atomic_load_explicit(&deque->top, memory_order_relaxed);
}

/* Owner only. */
static inline bool cdp_deque_has_one(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->bottom, memory_order_relaxed) -
               atomic_load_explicit(&deque->top, memory_order_relaxed) ==
           1;
}

#endif
