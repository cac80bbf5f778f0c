/* The memory of rings. */
#include "exec/state/ring.h"

#include "base/alloc.h"
#include "exec/state/grid.h"

/* The entry of rings without memory, and the entries that the asm reads after it. */
static struct cdp_ring_entry nobody[3];

void cdp_ring_init(struct cdp_ring *ring)
{
    *ring = (struct cdp_ring){.at = nobody, .start = nobody, .end = nobody};
}

void cdp_ring_finish(struct cdp_ring *ring)
{
    cdp_free(ring->base);
}

/* While threads of the ring can run, a thread is added only when another one leaves.  So a ring
 * that opens with all threads moves up by at most one entry for each thread.  CDP_SWITCH_RING reads
 * up to two entries beyond. */
enum { SIZE = 2 * CDP_MOST_THREADS + 3 };

bool cdp_ring_make_room(struct cdp_ring *ring)
{
    struct cdp_ring_entry *base = cdp_alloc(SIZE * sizeof *base);
    if (base == NULL) {
        return false;
    }
    base->sp = NULL;
    *ring = (struct cdp_ring){.at = base, .start = base, .end = base, .base = base};
    return true;
}

CDP_NOT_INSTRUMENTED const void *cdp_ring_find(const struct cdp_ring *ring,
                                               const struct cdp_fiber *fiber)
{
    const volatile struct cdp_ring *now = ring;
    const volatile struct cdp_ring_entry *entry = now->start, *end = now->end;
    for (int i = 0; i < SIZE && entry < end; i++, entry++) {
        if (entry->thread == &fiber->thread) {
            return entry->sp;
        }
    }
    return NULL;
}

void cdp_ring_publish(const struct cdp_ring *ring)
{
    for (const struct cdp_ring_entry *entry = ring->start; entry != ring->end; entry++) {
        struct cdp_fiber *fiber = cdp_fiber_of(entry->thread);
        enum { RETURN_ADDRESS = 1 }; /* in the frame that cdp_abi_syncthreads_bare leaves */
        fiber->sp = entry->sp;
        fiber->site = ((const void *const *)entry->sp)[RETURN_ADDRESS];
    }
}

struct cdp_fiber_queue cdp_ring_clear(struct cdp_ring *ring)
{
    struct cdp_fiber_queue all = {NULL, NULL};
    cdp_ring_publish(ring);
    for (; ring->start != ring->end; ring->start++) {
        cdp_fiber_push(&all, cdp_fiber_of(ring->start->thread));
    }
    ring->at = ring->end;
    return all;
}
