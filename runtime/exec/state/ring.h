/* The threads of a block in the order in which they run from barrier to barrier.
 *
 * Threads that wait at __syncthreads() and threads that it has released are in one array.  An entry
 * has 16 bytes: the data that a switch needs.  A thread that arrives takes an entry, and the next
 * released thread leaves one.  So a switch touches few cache lines, and two switches depend on each
 * other only through one pointer, at.  Threads that reach a barrier in another way are in the
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
    void *sp; /* NULL: no thread.  While the thread is in the ring, sp and site of its fiber are out
                 of date */
    struct cdp_abi_thread *thread;
};

/* Part of a block.  Only its executor accesses it, in C and in the asm of cdp_abi_syncthreads_bare.
 * Invariant: base <= start <= at <= end; end->sp == NULL.  The threads of start .. at - 1 wait,
 * those of at .. end - 1 can run. base does not change once it is set.  If base is NULL, the other
 * pointers point to an entry without a thread. */
struct cdp_ring {
    struct cdp_ring_entry *at, *start, *end;
    struct cdp_ring_entry *base;
};

void cdp_ring_init(struct cdp_ring *ring);
void cdp_ring_finish(struct cdp_ring *ring);

/* Allocates space for all threads of a block.  False without memory. */
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
void cdp_ring_publish(const struct cdp_ring *ring);

/* The saved stack pointer of the fiber if it is in the ring, else NULL. For reports: the ring may
 * belong to another worker that runs meanwhile. */
const void *cdp_ring_find(const struct cdp_ring *ring, const struct cdp_fiber *fiber);

/* Empties the ring and returns its threads, with sp and site set. */
struct cdp_fiber_queue cdp_ring_clear(struct cdp_ring *ring);

/* Removes the next thread that can run.  A waiting thread moves to its entry. */
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

/* Adds a thread that waits.  No thread of the ring can run, and there is space. */
static inline void cdp_ring_wait(struct cdp_ring *ring, struct cdp_abi_thread *thread, void *sp)
{
    if (ring->start == ring->end) {
        ring->at = ring->start = ring->base;
    }
    *ring->at++ = (struct cdp_ring_entry){.sp = sp, .thread = thread};
    ring->end = ring->at;
    ring->end->sp = NULL;
}

/* Releases all waiting threads.  No thread of the ring can run before. */
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
