/* Ranked mutexes. The check needs a thread-local list of held ranks, so only builds with CDP_DEBUG
 * have it. */
#include "base/lock.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef CDP_DEBUG
#define MOST_HELD 16
static __thread enum cdp_lock_rank held_ranks[MOST_HELD];
static __thread unsigned held_count;

static void note_acquire(const struct cdp_lock *lock)
{
    if (held_count == MOST_HELD || (held_count > 0 && held_ranks[held_count - 1] >= lock->rank)) {
        fprintf(stderr, "cdp: lock of rank %d taken while holding rank %d\n", (int)lock->rank,
                held_count > 0 ? (int)held_ranks[held_count - 1] : 0);
        abort();
    }
    held_ranks[held_count++] = lock->rank;
}

/* Locks are nearly always released in reverse order, so the search starts at the top. */
static void note_release(const struct cdp_lock *lock)
{
    for (unsigned i = held_count; i-- > 0;) {
        if (held_ranks[i] == lock->rank) {
            for (; i + 1 < held_count; i++) {
                held_ranks[i] = held_ranks[i + 1];
            }
            held_count--;
            return;
        }
    }
    fprintf(stderr, "cdp: lock of rank %d released but not held\n", (int)lock->rank);
    abort();
}

void cdp_lock_expect_none(void)
{
    if (held_count != 0) {
        fprintf(stderr, "cdp: lock of rank %d held across a switch of fibers\n",
                (int)held_ranks[held_count - 1]);
        abort();
    }
}
#else
static void note_acquire(const struct cdp_lock *lock)
{
    (void)lock;
}

static void note_release(const struct cdp_lock *lock)
{
    (void)lock;
}
#endif

void cdp_lock_init(struct cdp_lock *lock, enum cdp_lock_rank rank)
{
    pthread_mutex_init(&lock->mutex, NULL);
    lock->rank = rank;
}

void cdp_lock_finish(struct cdp_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

void cdp_lock_acquire(struct cdp_lock *lock) CDP_NO_THREAD_SAFETY
{
    note_acquire(lock);
    pthread_mutex_lock(&lock->mutex);
}

void cdp_lock_release(struct cdp_lock *lock) CDP_NO_THREAD_SAFETY
{
    note_release(lock);
    pthread_mutex_unlock(&lock->mutex);
}
