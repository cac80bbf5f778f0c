/* A mutex with a rank. A thread may take a lock only if its rank is above that of every lock that
 * the thread holds, so two threads can never wait for each other. Builds with CDP_DEBUG abort at
 * the first wrong order, even if it would not have hung. No lock is held across a fiber switch, a
 * user's callback or a kernel. */
#ifndef CDP_BASE_LOCK_H
#define CDP_BASE_LOCK_H

#include <pthread.h>

#include "base/attr.h"

/* The lock order, from first taken to last taken. */
enum cdp_lock_rank {
    CDP_RANK_REGISTRY = 1, /* struct cdp_registry: modules, kernels, variables */
    CDP_RANK_STREAMS,      /* struct cdp_streams: the host's streams and events */
    CDP_RANK_TEXTURES,     /* struct cdp_texture_table: arrays, textures, surfaces */
    CDP_RANK_GRID,         /* a grid's streams and tails */
    CDP_RANK_SPARES,       /* struct cdp_spares: unused launch records */
    CDP_RANK_HEAP,         /* struct cdp_heap: one of the device's memories */
    CDP_RANK_MEMMAP,       /* struct cdp_memmap: registered ranges */
    CDP_RANK_OUTPUT,       /* device printf's buffer, reports */
    CDP_RANK_TURN,         /* struct cdp_turn: with CDP_SEED, whether the host or the device runs */
};

struct CDP_CAPABILITY("mutex") cdp_lock {
    pthread_mutex_t mutex;
    enum cdp_lock_rank rank;
};

#define CDP_LOCK_INITIAL(lock_rank) {.mutex = PTHREAD_MUTEX_INITIALIZER, .rank = (lock_rank)}

void cdp_lock_init(struct cdp_lock *lock, enum cdp_lock_rank rank);
void cdp_lock_finish(struct cdp_lock *lock);
void cdp_lock_acquire(struct cdp_lock *lock) CDP_ACQUIRES(lock);
void cdp_lock_release(struct cdp_lock *lock) CDP_RELEASES(lock);

/* For where no lock may be held: builds with CDP_DEBUG abort if this thread holds one. */
#ifdef CDP_DEBUG
void cdp_lock_expect_none(void);
#else
static inline void cdp_lock_expect_none(void)
{
}
#endif

#endif
