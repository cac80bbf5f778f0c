/* Chase-Lev deque. */
#include "sched/deque.h"

#include "base/alloc.h"
#include "os/os.h"

enum { FIRST_SIZE = 256, LOOKS_AT_LONE_OFFER = 3 };
/* The number of polls before a raid. A raid costs all workers some microseconds, so the owner's
 * task must be about that long. */
enum { LOOKS_BEFORE_RAID = 16, HURRY_AFTER_RAID = 128 };
/* In this time an owner that runs tiny tasks makes a push or a pop. */
enum { PAUSES_OF_OWNER = 8 };
/* A task with this many parts is worth a fence. */
enum { MANY_PARTS = 5 };

static struct cdp_deque_ring *ring_create(int64_t size, struct cdp_deque_ring *older)
{
    struct cdp_deque_ring *ring =
        cdp_alloc_zero(sizeof *ring + (size_t)size * sizeof ring->slots[0]);
    if (ring != NULL) {
        ring->mask = size - 1;
        ring->older = older;
    }
    return ring;
}

bool cdp_deque_init(struct cdp_deque *deque, bool asymmetric)
{
    struct cdp_deque_ring *ring = ring_create(FIRST_SIZE, NULL);
    atomic_init(&deque->bottom, 0);
    atomic_init(&deque->top, 0);
    atomic_init(&deque->open, 0);
    atomic_init(&deque->raiders, 0);
    atomic_init(&deque->hurry, 0);
    atomic_init(&deque->thefts, 0);
    atomic_init(&deque->pushes, 0);
    atomic_init(&deque->kept.task, NULL);
    atomic_init(&deque->kept.number, 0);
    deque->kept.last_number = 0;
    deque->asymmetric = asymmetric;
    atomic_init(&deque->ring, ring);
    return ring != NULL;
}

void cdp_deque_finish(struct cdp_deque *deque)
{
    struct cdp_deque_ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);
    while (ring != NULL) {
        struct cdp_deque_ring *older = ring->older;
        cdp_free(ring);
        ring = older;
    }
    atomic_init(&deque->ring, NULL);
}

/* Relaxed: a slot is published by bottom or ring, and its reader checks it by the exchange of
 * top. */
static struct cdp_offer slot_read(const struct cdp_deque_ring *ring, int64_t at)
{
    const struct cdp_deque_slot *slot = &ring->slots[at & ring->mask];
    uint64_t range = atomic_load_explicit(&slot->range, memory_order_relaxed);
    return (struct cdp_offer){.task = atomic_load_explicit(&slot->task, memory_order_relaxed),
                              .first = (uint32_t)range,
                              .last = (uint32_t)(range >> 32)};
}

static void slot_write(struct cdp_deque_ring *ring, int64_t at, struct cdp_offer offer)
{
    struct cdp_deque_slot *slot = &ring->slots[at & ring->mask];
    atomic_store_explicit(&slot->task, offer.task, memory_order_relaxed);
    atomic_store_explicit(&slot->range, (uint64_t)offer.last << 32 | offer.first,
                          memory_order_relaxed);
}

static struct cdp_deque_ring *grow(struct cdp_deque *deque, struct cdp_deque_ring *ring,
                                   int64_t top, int64_t bottom)
{
    struct cdp_deque_ring *larger = ring_create((ring->mask + 1) * 2, ring);
    if (larger == NULL) {
        return NULL;
    }
    for (int64_t i = top; i < bottom; i++) {
        slot_write(larger, i, slot_read(ring, i));
    }
    /* Release pairs with the acquire of ring in cdp_deque_steal: a thief that sees
     * the new ring sees its slots. */
    atomic_store_explicit(&deque->ring, larger, memory_order_release);
    return larger;
}

/* Opens the older half of the offers from top to bottom, or all of them. A single offer stays with
 * the owner, because the owner will return for it soon. */
static void open_some(struct cdp_deque *deque, int64_t top, int64_t bottom, bool all)
{
    int64_t open = all ? bottom : top + (bottom - top) / 2;
    /* Relaxed: only the owner writes open. Release pairs with the acquire in steal_open: it
     * publishes the slots below, which may have held other offers before. */
    if (open > atomic_load_explicit(&deque->open, memory_order_relaxed)) {
        atomic_store_explicit(&deque->open, open, memory_order_release);
    }
}

/* The length is unknown if last is 0. */
static bool is_large(struct cdp_offer offer)
{
    return offer.last - offer.first >= MANY_PARTS || offer.last == 0;
}

bool cdp_deque_push(struct cdp_deque *deque, struct cdp_offer offer)
{
    /* Relaxed: only the owner writes bottom, ring and pushes. */
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    struct cdp_deque_ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);
    /* Acquire: slots up to top were read by their thieves before they are reused. */
    int64_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
    if (CDP_UNLIKELY(bottom - top > ring->mask)) {
        ring = grow(deque, ring, top, bottom);
        if (ring == NULL) {
            return false;
        }
    }
    slot_write(ring, bottom, offer);
    /* Release pairs with the acquires of bottom in steal_open and raid: a thief that sees
     * the new bottom sees the slot and the task behind it. */
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
    cdp_deque_show_life(deque);
    if (CDP_UNLIKELY(!deque->asymmetric || is_large(offer))) {
        open_some(deque, top, bottom + 1, true);
    } else if (top >= atomic_load_explicit(&deque->open, memory_order_relaxed)) {
        open_some(deque, top, bottom + 1, cdp_deque_hurries(deque));
    }
    return true;
}

void cdp_deque_share(struct cdp_deque *deque)
{
    struct cdp_task *kept = cdp_deque_take_kept(deque);
    if (kept != NULL && !cdp_deque_push(deque, cdp_offer_whole(kept))) {
        cdp_deque_put_kept(deque, kept);
    }
    int64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    open_some(deque, top, atomic_load_explicit(&deque->bottom, memory_order_relaxed), true);
}

/* Takes back the newest offer, at bottom, which is open. */
static void close_newest(struct cdp_deque *deque, int64_t bottom)
{
    /* Relaxed: a thief that still sees the old open has executed its fence before this one, and
     * then the pop sees its top. */
    atomic_store_explicit(&deque->open, bottom, memory_order_relaxed);
    /* Pairs with the one in steal_open: owner and thief cannot both miss the other's
     * claim to the last offer. */
    atomic_thread_fence(memory_order_seq_cst);
}

static bool take_top(struct cdp_deque *deque, int64_t top)
{
    return atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
                                                   memory_order_relaxed);
}

static bool win_last(struct cdp_deque *deque, int64_t bottom)
{
    bool won = take_top(deque, bottom);
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
    return won;
}

bool cdp_deque_pop(struct cdp_deque *deque, bool alone, struct cdp_offer *out)
{
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    /* Top only grows, so for the owner an empty deque stays empty. */
    if (bottom <= atomic_load_explicit(&deque->top, memory_order_relaxed)) {
        return false;
    }
    bottom--;
    struct cdp_deque_ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);
    int64_t open = atomic_load_explicit(&deque->open, memory_order_relaxed);
    /* Release: a thread that reads this bottom instead of an earlier push's also sees that push's
     * slot. */
    atomic_store_explicit(&deque->bottom, bottom, memory_order_release);
    if (!alone && bottom < open) {
        close_newest(deque, bottom);
    } else {
        /* The raiders' membarrier completes the fence: either a raider sees this bottom, or the
         * loads below see that it raids, and its top. */
        atomic_signal_fence(memory_order_seq_cst);
    }
    /* Acquire pairs with the release in raid: if the raid is already over, top shows it. */
    bool raided = atomic_load_explicit(&deque->raiders, memory_order_acquire) != 0;
    int64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    if (top > bottom) {
        atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
        return false;
    }
    *out = slot_read(ring, bottom);
    if (top == bottom) {
        return (bottom >= open && !raided) || alone || win_last(deque, bottom);
    }
    if (CDP_UNLIKELY(top >= open) && !alone) {
        open_some(deque, top, bottom,
                  atomic_load_explicit(&deque->hurry, memory_order_relaxed) != 0);
    }
    return true;
}

bool cdp_deque_pop_oldest(struct cdp_deque *deque, struct cdp_offer *out)
{
    int64_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
    if (cdp_deque_ring_seems_empty(deque)) {
        return false;
    }
    *out = slot_read(atomic_load_explicit(&deque->ring, memory_order_relaxed), top);
    return take_top(deque, top);
}

/* Whether an offer has been polled often enough without activity of its owner. */
static bool has_aged(struct cdp_deque_look *look, struct cdp_deque *victim, int64_t top,
                     unsigned looks)
{
    uint32_t offers = cdp_deque_offers_made(victim);
    if (look->victim == NULL) {
        look->victim = victim;
        look->top = top;
        look->offers = offers;
        look->count = 0;
    } else if (look->victim != victim) {
        return false; /* two offers that are polled alternately would both stay young */
    } else if (look->top != top || look->offers != offers) {
        look->victim = NULL; /* its owner is active; another deque may have an inactive owner */
        return false;
    }
    return ++look->count >= looks;
}

static bool win_for_thief(struct cdp_deque *deque, int64_t top)
{
    bool won = take_top(deque, top);
    if (won) {
        atomic_fetch_add_explicit(&deque->thefts, 1,
                                  memory_order_relaxed); /* only a sign of life */
    }
    return won;
}

/* look == NULL: takes any open offer. */
static bool steal_open(struct cdp_deque *deque, int64_t top, struct cdp_deque_look *look,
                       struct cdp_offer *out)
{
    /* Pairs with the one in close_newest. Open is read after it, too: the offer may have been
     * closed, taken and replaced by one that is not open. */
    atomic_thread_fence(memory_order_seq_cst);
    int64_t open = atomic_load_explicit(&deque->open, memory_order_acquire);
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_acquire);
    if (top >= open || top >= bottom) {
        return false;
    }
    struct cdp_deque_ring *ring = atomic_load_explicit(&deque->ring, memory_order_acquire);
    *out = slot_read(ring, top);
    bool is_lone = bottom - top == 1 && out->last - out->first <= 1;
    if (is_lone && look != NULL && !has_aged(look, deque, top, LOOKS_AT_LONE_OFFER)) {
        return false;
    }
    return win_for_thief(deque, top);
}

/* Takes the owner's kept task. To be called after a membarrier. */
static bool raid_kept(struct cdp_deque *deque, struct cdp_offer *out)
{
    struct cdp_kept *kept = &deque->kept;
    /* In this order: a task that is kept later has another number. The acquire of task pairs with
     * the release in cdp_deque_put_kept. */
    uint64_t number = atomic_load_explicit(&kept->number, memory_order_acquire);
    struct cdp_task *task = atomic_load_explicit(&kept->task, memory_order_acquire);
    if (number == 0 || task == NULL ||
        !atomic_compare_exchange_strong_explicit(&kept->number, &number, 0, memory_order_acq_rel,
                                                 memory_order_relaxed)) {
        return false;
    }
    *out = cdp_offer_whole(task);
    atomic_fetch_add_explicit(&deque->thefts, 1, memory_order_relaxed); /* only a sign of life */
    return true;
}

/* Takes the oldest offer, although it is not open, or the kept task if there is no offer. */
static bool raid(struct cdp_deque *deque, struct cdp_offer *out)
{
    atomic_fetch_add(&deque->raiders, 1);
    int64_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
    cdp_os_membarrier(); /* a fence in all workers: pairs with the order of accesses in
                            cdp_deque_pop */
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_acquire);
    bool won = top < bottom;
    if (won) {
        struct cdp_deque_ring *ring = atomic_load_explicit(&deque->ring, memory_order_acquire);
        *out = slot_read(ring, top);
        won = win_for_thief(deque, top);
    } else {
        won = raid_kept(deque, out);
    }
    if (won) {
        atomic_store_explicit(&deque->hurry, HURRY_AFTER_RAID, memory_order_relaxed);
    }
    /* Release pairs with the acquires in cdp_deque_pop and cdp_deque_wins_kept: it publishes top,
     * and the kept task's number. */
    atomic_fetch_sub_explicit(&deque->raiders, 1, memory_order_release);
    return won;
}

bool cdp_deque_steal(struct cdp_deque *deque, struct cdp_deque_look *look, struct cdp_offer *out)
{
    int64_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
    /* Relaxed: a first test. */
    if (top < atomic_load_explicit(&deque->open, memory_order_relaxed)) {
        return steal_open(deque, top, look, out);
    }
    /* Without a close look, the owner's cache line is not read. */
    if (!look->closely || !deque->asymmetric || cdp_deque_seems_empty(deque)) {
        return false;
    }
    if (!has_aged(look, deque, top, LOOKS_BEFORE_RAID)) {
        return false;
    }
    look->victim = NULL;
    return raid(deque, out);
}

static bool steal_any(struct cdp_deque *deque, int64_t top, struct cdp_offer *out)
{
    if (top < atomic_load_explicit(&deque->open, memory_order_relaxed)) {
        return steal_open(deque, top, NULL, out);
    }
    return raid(deque, out);
}

bool cdp_deque_steal_idle(struct cdp_deque *deque, struct cdp_offer *out)
{
    /* If an owner offers after the thief announced its sleep, the owner itself looks for sleepers
     * after its offer. */
    uint32_t offers = cdp_deque_offers_made(deque);
    while (!cdp_deque_seems_empty(deque)) {
        int64_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
        int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
        for (int i = 0; i < PAUSES_OF_OWNER; i++) {
            cdp_os_pause();
        }
        if (offers != cdp_deque_offers_made(deque)) {
            return false;
        }
        if (!deque->asymmetric && top >= atomic_load_explicit(&deque->open, memory_order_relaxed)) {
            return false; /* the owner is in the middle of a push */
        }
        /* The number of offers only decreases until there is none, so the loop ends. */
        if (bottom == atomic_load_explicit(&deque->bottom, memory_order_relaxed) &&
            steal_any(deque, top, out)) {
            return true;
        }
    }
    return false;
}
