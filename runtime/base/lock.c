/* Ranked mutexes. The check needs a thread-local list of held ranks, so only builds with CDP_DEBUG
 * have it. */
#include "base/lock.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef CDP_DEBUG
#define MOST_HELD 16
static __thread enum cdp_lock_rank held_ranks[MOST_HELD];
static __thread unsigned held_count;

void cdp_lock_note_acquire(enum cdp_lock_rank rank)
{
    if (held_count == MOST_HELD || (held_count > 0 && held_ranks[held_count - 1] >= rank)) {
        fprintf(stderr, "cdp: lock of rank %d taken while holding rank %d\n", (int)rank,
                held_count > 0 ? (int)held_ranks[held_count - 1] : 0);
        abort();
    }
    held_ranks[held_count++] = rank;
}

/* Locks are nearly always released in reverse order, so the search starts at the top. */
void cdp_lock_note_release(enum cdp_lock_rank rank)
{
    for (unsigned i = held_count; i-- > 0;) {
        if (held_ranks[i] == rank) {
            for (; i + 1 < held_count; i++) {
                held_ranks[i] = held_ranks[i + 1];
            }
            held_count--;
            return;
        }
    }
    fprintf(stderr, "cdp: lock of rank %d released but not held\n", (int)rank);
    abort();
}

void cdp_lock_expect_none(void)
{
    if (held_count != 0) {
        fprintf(stderr,
                "cdp: lock of rank %d held at a switch of fibers, or at a call of device code or "
                "of a host function\n",
                (int)held_ranks[held_count - 1]);
        abort();
    }
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
    cdp_lock_note_acquire(lock->rank);
    pthread_mutex_lock(&lock->mutex);
}

void cdp_lock_release(struct cdp_lock *lock) CDP_NO_THREAD_SAFETY
{
    cdp_lock_note_release(lock->rank);
    pthread_mutex_unlock(&lock->mutex);
}
