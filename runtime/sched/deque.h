/* A worker's deque of offers (Chase and Lev, with the memory orders of Le et al.): the owner pushes
 * and pops at the bottom, thieves take from the top.
 *
 * The push has no fence. A worker that is about to sleep polls the deque once more, and makes the
 * fence for both sides (sched/park.h).
 *
 * Normally the pop has no fence either. Any thief may take only the oldest offers, those below
 * open. To take one of these back costs the owner a fence. The owner opens the older half of its
 * offers when none is open any more. So tiny tasks that launch tiny tasks go in and out at the
 * bottom without a fence, and a thief still finds the offers that are worth most.
 *
 * Besides the ring there is a slot for one task, the kept task. The owner stores it there and takes
 * it back with plain stores. Most launches of tiny tasks use only this slot.
 *
 * An owner that runs a long task opens nothing. A thief that has seen the owner idle for a while
 * may raid it: it takes an offer that is not open, or the kept task, and makes the fence for both
 * sides itself, by membarrier. A membarrier interrupts all workers. To avoid further raids, the
 * owner then opens all offers for a while, and keeps no task. If the kernel has no membarrier,
 * everything is always open, and nothing is kept. */
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

/* A ring of slots. Outgrown rings are kept until finish, because a thief may still read them. */
struct cdp_deque_ring {
    int64_t mask;
    struct cdp_deque_ring *older;
    struct cdp_deque_slot slots[];
};

/* The slot of the kept task, which is one whole task. A thread owns the task if it has taken both
 * the pointer and the number. The owner takes the pointer first, a raider the number. If both come
 * at the same time, the exchange of the number decides. A number is never used again, so a slow
 * raider gets nothing. */
struct cdp_kept {
    _Atomic(struct cdp_task *) task; /* only the owner writes; NULL: none */
    _Atomic uint64_t number;         /* 0: a raider has it */
    uint64_t last_number;            /* owner only: the number of the task that was kept last */
};

/* Invariant: open <= bottom after each push or pop, unless the owner is the only worker, which does
 * not use open. An offer at or above open is taken only by its owner or by raiders. */
struct cdp_deque {
    alignas(CDP_CACHE_LINE) _Atomic int64_t bottom; /* only the owner writes */
    _Atomic(struct cdp_deque_ring *) ring;          /* only the owner writes */
    _Atomic uint32_t pushes;                        /* only the owner writes */
    bool asymmetric; /* raiders can make the fence for both sides; const */
    struct cdp_kept kept;
    /* The fields that thieves read first, and the owner rarely writes. */
    alignas(CDP_CACHE_LINE) _Atomic int64_t top; /* owner and thieves, by exchange */
    _Atomic int64_t open;                        /* only the owner writes */
    _Atomic uint32_t raiders; /* number of thieves that are about to take any offer */
    _Atomic uint32_t hurry;   /* number of pushes for which everything is open; raiders set it, the
                                 owner counts down */
    _Atomic uint32_t thefts;  /* number of thefts so far; thieves count */
};

/* A thief's memory of one offer that it may not take yet. The owner is faster at tiny work. So if a
 * deque's only offer has one part, it must have been there in several polls without activity of the
 * owner. An offer that is not open must have been there in many polls. */
struct cdp_deque_look {
    struct cdp_deque *victim; /* the deque that is watched; NULL: none */
    int64_t top;
    uint32_t offers;
    unsigned count;
    unsigned rounds; /* number of rounds through all other deques */
    bool closely;    /* this round also polls offers that are not open */
};

/* asymmetric: this process is registered for membarrier. */
bool cdp_deque_init(struct cdp_deque *deque, bool asymmetric) CDP_MUST_CHECK;
void cdp_deque_finish(struct cdp_deque *deque);

/* Owner only, between its calls: whether the invariants hold (base/valid.h). */
bool cdp_deque_is_valid(const struct cdp_deque *deque, bool alone);

/* Owner only. False if the ring cannot grow: then nothing was pushed. */
bool cdp_deque_push(struct cdp_deque *deque, struct cdp_offer offer) CDP_MUST_CHECK;
/* Owner only.  alone: no other thread steals, so no fence is needed. */
bool cdp_deque_pop(struct cdp_deque *deque, bool alone, struct cdp_offer *out);
/* Owner only: the oldest offer, as for thieves; never the kept task. */
bool cdp_deque_pop_oldest(struct cdp_deque *deque, struct cdp_offer *out);
/* Owner only, if raiders can make the fence: stores a whole task in the slot where the owner finds
 * it first. False: the slot is in use, or a push serves thieves better. */
static inline bool cdp_deque_keep(struct cdp_deque *deque, struct cdp_task *task);
/* Owner only: the kept task, or NULL. */
static inline struct cdp_task *cdp_deque_take_kept(struct cdp_deque *deque);
/* Owner only, between long tasks: opens all offers. */
void cdp_deque_share(struct cdp_deque *deque);
/* For any other thread. False: the deque is empty, the race was lost, or the offer may not be taken
 * yet. */
bool cdp_deque_steal(struct cdp_deque *deque, struct cdp_deque_look *look, struct cdp_offer *out);
/* For any other thread, after it has announced its sleep to pushing owners (sched/park.h): takes
 * any offer whose owner is not active. False: there is none, or the owner has pushed since. */
bool cdp_deque_steal_idle(struct cdp_deque *deque, struct cdp_offer *out);

/* Whether there seems to be a kept task. Relaxed: a guess. */
static inline bool cdp_deque_seems_to_keep(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->kept.task, memory_order_relaxed) != NULL &&
           atomic_load_explicit(&deque->kept.number, memory_order_relaxed) != 0;
}

/* The value changes while the owner is active. Relaxed: it only shows activity. */
static inline uint32_t cdp_deque_offers_made(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->pushes, memory_order_relaxed) +
           (uint32_t)atomic_load_explicit(&deque->kept.number, memory_order_relaxed);
}

/* Whether the ring seems empty. */
static inline bool cdp_deque_ring_seems_empty(const struct cdp_deque *deque)
{
    return atomic_load_explicit(&deque->bottom, memory_order_relaxed) <=
           atomic_load_explicit(&deque->top, memory_order_relaxed);
}

/* Whether ring and slot seem empty; for a last poll before sleeping. */
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

/* Owner only: whether everything must be open, because a thief had to raid. */
static inline bool cdp_deque_hurries(struct cdp_deque *deque)
{
    /* Relaxed: how many offers are opened is only a heuristic. */
    uint32_t left = atomic_load_explicit(&deque->hurry, memory_order_relaxed);
    if (CDP_LIKELY(left == 0)) {
        return false;
    }
    atomic_store_explicit(&deque->hurry, left - 1, memory_order_relaxed);
    return true;
}

/* Owner only: shows that it is active although it offers nothing. */
static inline void cdp_deque_show_life(struct cdp_deque *deque)
{
    /* Relaxed: it only shows activity. */
    uint32_t pushes = atomic_load_explicit(&deque->pushes, memory_order_relaxed);
    atomic_store_explicit(&deque->pushes, pushes + 1, memory_order_relaxed);
}

/* ---- The kept task ---- */

/* Owner only; the slot must be free. */
static inline void cdp_deque_put_kept(struct cdp_deque *deque, struct cdp_task *task)
{
    struct cdp_kept *kept = &deque->kept;
    /* Relaxed: the following store orders it. */
    atomic_store_explicit(&kept->number, ++kept->last_number, memory_order_relaxed);
    /* Release pairs with the acquire in raid_kept: it publishes the task and its number. */
    atomic_store_explicit(&kept->task, task, memory_order_release);
}

static inline bool cdp_deque_keep(struct cdp_deque *deque, struct cdp_task *task)
{
    /* Relaxed: the owner's own value, and a guess. */
    if (atomic_load_explicit(&deque->kept.task, memory_order_relaxed) != NULL ||
        cdp_deque_hurries(deque)) {
        return false;
    }
    cdp_deque_put_kept(deque, task);
    return true;
}

/* Whether the owner, who has emptied the slot, came before all raiders. */
static inline bool cdp_deque_wins_kept(struct cdp_deque *deque)
{
    struct cdp_kept *kept = &deque->kept;
    uint64_t number = kept->last_number;
    /* The raiders' membarrier completes the fence. Either a raider sees the empty slot, or the load
     * below sees that it raids. If the raid is over, the acquire, which pairs with the release at
     * the raid's end, shows what it took. */
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
