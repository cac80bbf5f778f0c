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
 * Beside the ring there is a place for one task, the kept one, which the owner puts there and
 * takes back with plain stores: most of what tiny tasks launch goes no other way.
 *
 * An owner that is at a long task opens nothing.  A thief that has seen it idle for a while
 * may raid it: take what is not open, or is kept, and make the fence for both sides itself,
 * by membarrier.  That interrupts all workers, so the owner opens everything for a while
 * afterwards, and keeps nothing.  Where the kernel has no membarrier everything is always
 * open, and nothing is kept. */
#ifndef CDP_SCHED_DEQUE_H
#define CDP_SCHED_DEQUE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
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

/* One task, whole.  Whoever has both its pointer and its number has it: the owner takes the
 * pointer away, a raider the number, and where both come at once the exchange of the number
 * decides.  A number does not come back, so a raider that was slow gets nothing. */
struct cdp_kept {
    _Atomic(struct cdp_task *) task; /* only the owner writes; NULL: none */
    _Atomic uint64_t number;         /* 0: a raider has it */
    uint64_t last_number;            /* owner only: of the task that was kept last */
};

/* Invariant: open <= bottom once a push or pop is over, but for an owner that is alone, which has
 * no use for open; an offer at or above open is taken
 * by its owner or by raiders only. */
struct cdp_deque {
    alignas(CDP_CACHE_LINE) _Atomic int64_t bottom; /* only the owner writes */
    _Atomic(struct cdp_deque_ring *) ring;          /* only the owner writes */
    _Atomic uint32_t pushes;                        /* only the owner writes */
    bool asymmetric;                                /* raiders can make the fence; const */
    struct cdp_kept kept;
    /* What thieves look at first, and the owner seldom writes. */
    alignas(CDP_CACHE_LINE) _Atomic int64_t top; /* owner and thieves, by exchange */
    _Atomic int64_t open;                        /* only the owner writes */
    _Atomic uint32_t raiders;                    /* thieves that are about to take any offer */
    _Atomic uint32_t hurry;  /* offers that are all open; raiders set, the owner counts down */
    _Atomic uint32_t thefts; /* so far; thieves count */
};

/* A thief's memory of one offer that is not for the taking yet.  Tiny work is faster done by
 * its owner, so a deque's only offer, if it is of one part, must have been there on several
 * looks, without the owner at work; and one that is not open on many. */
struct cdp_deque_look {
    struct cdp_deque *victim; /* the one watched; NULL: none */
    int64_t top;
    uint32_t offers;
    unsigned count;
    unsigned rounds; /* of looks at all others */
    bool closely;    /* this one is at what is not open, too */
};

/* asymmetric: this process is registered for membarrier. */
bool cdp_deque_init(struct cdp_deque *deque, bool asymmetric) CDP_MUST_CHECK;
void cdp_deque_finish(struct cdp_deque *deque);

/* Owner only, between its calls: whether the invariants hold (base/valid.h). */
bool cdp_deque_is_valid(const struct cdp_deque *deque, bool alone);

/* Owner only.  False when the ring cannot grow: nothing was pushed. */
bool cdp_deque_push(struct cdp_deque *deque, struct cdp_offer offer) CDP_MUST_CHECK;
/* Owner only.  alone: no other thread steals, so no fence is needed. */
bool cdp_deque_pop(struct cdp_deque *deque, bool alone, struct cdp_offer *out);
/* Owner only: the oldest offer, as thieves get it; never what is kept. */
bool cdp_deque_pop_oldest(struct cdp_deque *deque, struct cdp_offer *out);
/* Owner only, of a deque whose raiders can make the fence: puts a whole task where the owner
 * itself finds it first.  False: the place is taken, or thieves are better served by a push. */
static inline bool cdp_deque_keep(struct cdp_deque *deque, struct cdp_task *task);
/* Owner only: the kept task, or NULL. */
static inline struct cdp_task *cdp_deque_take_kept(struct cdp_deque *deque);
/* Owner only, between long tasks: opens all offers. */
void cdp_deque_share(struct cdp_deque *deque);
/* Any other thread.  False: empty, lost a race, or not for the taking yet. */
bool cdp_deque_steal(struct cdp_deque *deque, struct cdp_deque_look *look, struct cdp_offer *out);
/* Any other thread, after it has told pushing owners that it sleeps (sched/park.h): takes any
 * offer at which the owner is not at work.  False: there is none, or the owner has pushed
 * since. */
bool cdp_deque_steal_idle(struct cdp_deque *deque, struct cdp_offer *out);

/* Whether a task seems to be kept.  Relaxed: a guess. */
static inline bool cdp_deque_seems_to_keep(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->kept.task, memory_order_relaxed) != NULL &&
           atomic_load_explicit(&deque->kept.number, memory_order_relaxed) != 0;
}

/* Changes while the owner is at work.  Relaxed: a sign of life. */
static inline uint32_t cdp_deque_offers_made(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->pushes, memory_order_relaxed) +
           (uint32_t)atomic_load_explicit(&deque->kept.number, memory_order_relaxed);
}

/* Of what was pushed. */
static inline bool cdp_deque_ring_seems_empty(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->bottom, memory_order_relaxed) <=
           atomic_load_explicit(&deque->top, memory_order_relaxed);
}

/* Whether there seems to be anything; for a last look before sleeping. */
static inline bool cdp_deque_seems_empty(const struct cdp_deque *deque)
{
    return cdp_deque_ring_seems_empty(deque) && !cdp_deque_seems_to_keep(deque);
}

/* Owner only. */
static inline bool cdp_deque_has_one(const struct cdp_deque *deque)
{
    int64_t in_ring = atomic_load_explicit(&deque->bottom, memory_order_relaxed) -
                      atomic_load_explicit(&deque->top, memory_order_relaxed);
    return in_ring + cdp_deque_seems_to_keep(deque) == 1;
}

/* Owner only: whether thieves want all, since one had to raid. */
static inline bool cdp_deque_hurries(struct cdp_deque *deque)
{
    /* Relaxed: how much is opened is never more than a guess. */
    uint32_t left = atomic_load_explicit(&deque->hurry, memory_order_relaxed);
    if (CDP_LIKELY(left == 0)) {
        return false;
    }
    atomic_store_explicit(&deque->hurry, left - 1, memory_order_relaxed);
    return true;
}

/* Owner only: it is at work though it offers nothing. */
static inline void cdp_deque_show_life(struct cdp_deque *deque)
{
    /* Relaxed: a sign of life. */
    uint32_t pushes = atomic_load_explicit(&deque->pushes, memory_order_relaxed);
    atomic_store_explicit(&deque->pushes, pushes + 1, memory_order_relaxed);
}

/* ---- The kept task ---- */

/* Owner only, with the place free. */
static inline void cdp_deque_put_kept(struct cdp_deque *deque, struct cdp_task *task)
{
    struct cdp_kept *kept = &deque->kept;
    /* Relaxed: ordered by the store that follows. */
    atomic_store_explicit(&kept->number, ++kept->last_number, memory_order_relaxed);
    /* Release pairs with the acquire in raid_kept: the task, and its number. */
    atomic_store_explicit(&kept->task, task, memory_order_release);
}

static inline bool cdp_deque_keep(struct cdp_deque *deque, struct cdp_task *task)
{
    /* Relaxed: the owner's own, and a guess. */
    if (atomic_load_explicit(&deque->kept.task, memory_order_relaxed) != NULL ||
        cdp_deque_hurries(deque)) {
        return false;
    }
    cdp_deque_put_kept(deque, task);
    return true;
}

/* Whether the owner, who has emptied the place, came before all raiders. */
static inline bool cdp_deque_wins_kept(struct cdp_deque *deque)
{
    struct cdp_kept *kept = &deque->kept;
    uint64_t number = kept->last_number;
    /* The raiders' membarrier does the rest: either a raider sees the empty place, or the load
     * below that it raids, or, by the acquire, which pairs with the release at the raid's end,
     * what it took. */
    atomic_signal_fence(memory_order_seq_cst);
    if (CDP_LIKELY(atomic_load_explicit(&deque->raiders, memory_order_acquire) == 0)) {
        return atomic_load_explicit(&kept->number, memory_order_relaxed) == number;
    }
    return atomic_compare_exchange_strong_explicit(&kept->number, &number, 0, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static inline struct cdp_task *cdp_deque_take_kept(struct cdp_deque *deque)
{
    /* Relaxed: only the owner writes. */
    struct cdp_task *task = atomic_load_explicit(&deque->kept.task, memory_order_relaxed);
    if (task == NULL) {
        return NULL;
    }
    atomic_store_explicit(&deque->kept.task, NULL, memory_order_relaxed);
    return CDP_LIKELY(cdp_deque_wins_kept(deque)) ? task : NULL;
}

#endif
