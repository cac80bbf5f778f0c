/* Chase-Lev deque. */
#include "sched/deque.h"

#include "base/alloc.h"

enum { FIRST_SIZE = 256, LOOKS_AT_LONE_OFFER = 3 };

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

bool cdp_deque_init(struct cdp_deque *deque)
{
    struct cdp_deque_ring *ring = ring_create(FIRST_SIZE, NULL);
    atomic_init(&deque->bottom, 0);
    atomic_init(&deque->top, 0);
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

/* Relaxed: a slot is published by bottom or ring, and read back by its exchange of top. */
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

bool cdp_deque_push(struct cdp_deque *deque, struct cdp_offer offer)
{
    /* Relaxed: only the owner writes bottom and ring. */
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
    /* Release pairs with the acquire of bottom in cdp_deque_steal: a thief that sees
     * the new bottom sees the slot and the task behind it. */
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
    return true;
}

bool cdp_deque_pop(struct cdp_deque *deque, bool alone, struct cdp_offer *out)
{
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    /* Top only grows, so an empty look is final for the owner. */
    if (bottom <= atomic_load_explicit(&deque->top, memory_order_relaxed)) {
        return false;
    }
    bottom--;
    struct cdp_deque_ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);
    atomic_store_explicit(&deque->bottom, bottom, memory_order_relaxed);
    if (!alone) {
        /* Pairs with the fence in cdp_deque_steal: owner and thief cannot both miss
         * the other's claim to the last offer. */
        atomic_thread_fence(memory_order_seq_cst);
    }
    int64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    if (top > bottom) {
        atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
        return false;
    }
    *out = slot_read(ring, bottom);
    if (top < bottom) {
        return true;
    }
    if (alone) {
        atomic_store_explicit(&deque->top, top + 1, memory_order_relaxed);
        atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
        return true;
    }
    bool won = atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1,
                                                       memory_order_seq_cst, memory_order_relaxed);
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
    return won;
}

/* Whether the deque's only offer has been looked at often enough to be taken. */
static bool lone_offer_has_aged(struct cdp_deque_look *look, struct cdp_deque *victim, int64_t top,
                                const struct cdp_task *task)
{
    if (look->victim == NULL) {
        *look = (struct cdp_deque_look){.victim = victim, .top = top, .task = task};
    } else if (look->victim != victim) {
        return false; /* two that are looked at in turn would both stay young */
    } else if (look->top != top || look->task != task) {
        look->victim = NULL; /* its owner is at work: perhaps another's is not */
        return false;
    }
    return ++look->count >= LOOKS_AT_LONE_OFFER;
}

bool cdp_deque_steal(struct cdp_deque *deque, struct cdp_deque_look *look, struct cdp_offer *out)
{
    int64_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
    if (atomic_load_explicit(&deque->bottom, memory_order_relaxed) <= top) {
        return false;
    }
    atomic_thread_fence(memory_order_seq_cst); /* pairs with the one in cdp_deque_pop */
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_acquire);
    if (top >= bottom) {
        return false;
    }
    struct cdp_deque_ring *ring = atomic_load_explicit(&deque->ring, memory_order_acquire);
    *out = slot_read(ring, top);
    bool is_tiny = out->last - out->first <= 1;
    if (bottom - top == 1 && is_tiny && !lone_offer_has_aged(look, deque, top, out->task)) {
        return false;
    }
    return atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
                                                   memory_order_relaxed);
}
