/* The invariants of a deque, as its owner sees them. */
#include "sched/deque.h"

bool cdp_deque_is_valid(const struct cdp_deque *deque, bool alone)
{
    /* Relaxed: only the owner writes bottom, open and ring; top does not get past bottom. */
    int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    int64_t open = atomic_load_explicit(&deque->open, memory_order_relaxed);
    int64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    const struct cdp_deque_ring *ring = atomic_load_explicit(&deque->ring, memory_order_relaxed);
    return ring != NULL && ring->mask > 0 && (ring->mask & (ring->mask + 1)) == 0 &&
           (alone || open <= bottom) && top <= bottom && bottom - top <= ring->mask + 1;
}
