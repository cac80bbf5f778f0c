/* The threads of a block in the order in which they go from barrier to barrier.
 *
 * Threads that wait at __syncthreads() and those that it has released are one array, of what a
 * switch needs to know of them, 16 bytes each: who arrives puts itself in the place of
 * the next that goes on.  So a switch is a matter of few cache lines, and depends on no
 * other but by one pointer, at.  Threads that come to a barrier in another way are in the
 * block's queues. */
#ifndef CDP_EXEC_STATE_RING_H
#define CDP_EXEC_STATE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"

#include "abi/cdp_abi.h"
#include "fiber/fiber.h"

/* A suspended thread. */
struct cdp_ring_entry {
    void *sp; /* NULL: no thread.  Its fiber's is old as long as it is here, and so is site */
    struct cdp_abi_thread *thread;
};

/* Part of a block; its executor's alone, but for the asm of cdp_abi_syncthreads_bare.
 * Invariant: base <= start <= at <= end; end->sp == NULL.  From start on they wait, from at on
 * they can run.  base, once it is there, stays; NULL: the others point to an entry without thread.
 */
struct cdp_ring {
    struct cdp_ring_entry *at, *start, *end;
    struct cdp_ring_entry *base;
};

void cdp_ring_init(struct cdp_ring *ring);
void cdp_ring_finish(struct cdp_ring *ring);

/* Room for all threads of a block; false without memory. */
bool cdp_ring_make_room(struct cdp_ring *ring);

static inline bool cdp_ring_reserve(struct cdp_ring *ring)
{
    return CDP_LIKELY(ring->base != NULL) || cdp_ring_make_room(ring);
}

static inline bool cdp_ring_has_ready(const struct cdp_ring *ring)
{
    return ring->at != ring->end;
}

static inline uint32_t cdp_ring_waiting(const struct cdp_ring *ring)
{
    return (uint32_t)(ring->at - ring->start);
}

/* Sets sp and site of all fibers in the ring, for reports. */
void cdp_ring_tell(const struct cdp_ring *ring);

/* Where the fiber's stack pointer was saved if it is in the ring, else NULL.  For reports:
 * the ring may be another worker's, which goes on meanwhile. */
const void *cdp_ring_find(const struct cdp_ring *ring, const struct cdp_fiber *fiber);

/* Empties it. */
struct cdp_fiber_queue cdp_ring_clear(struct cdp_ring *ring);

/* The next of those that can run; one of those that wait takes its place. */
static inline struct cdp_fiber *cdp_ring_take(struct cdp_ring *ring)
{
    struct cdp_fiber *fiber = cdp_fiber_of(ring->at->thread);
    fiber->sp = ring->at->sp;
    fiber->next = NULL;
    *ring->at++ = *ring->start++;
    __builtin_prefetch(ring->at->sp, 1);
    __builtin_prefetch(ring->at->thread, 1);
    return fiber;
}

/* The thread waits; none can run, and there is room. */
static inline void cdp_ring_wait(struct cdp_ring *ring, struct cdp_abi_thread *thread, void *sp)
{
    if (ring->start == ring->end) {
        ring->at = ring->start = ring->base;
    }
    *ring->at++ = (struct cdp_ring_entry){.sp = sp, .thread = thread};
    ring->end = ring->at;
    ring->end->sp = NULL;
}

/* All that wait can run; none could before. */
static inline void cdp_ring_open(struct cdp_ring *ring)
{
    if (ring->base != NULL && CDP_UNLIKELY(ring->start != ring->base)) {
        size_t count = (size_t)(ring->end - ring->start);
        memmove(ring->base, ring->start, (count + 1) * sizeof *ring->base);
        ring->start = ring->base;
        ring->end = ring->base + count;
    }
    ring->at = ring->start;
}

#endif
