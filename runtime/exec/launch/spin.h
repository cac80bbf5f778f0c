/* A spin lock of one byte. It is for records of which there are many, and which two threads rarely
 * change at the same time.
 *
 * While a thread holds such a lock, it takes no other lock, allocates nothing and calls nothing
 * that could switch fibers. So the lock is held for a few instructions. Builds with CDP_DEBUG check
 * this like the order of other locks (base/lock.h). */
#ifndef CDP_EXEC_LAUNCH_SPIN_H
#define CDP_EXEC_LAUNCH_SPIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/lock.h"
#include "os/os.h"

/* After so many pauses it is assumed that the holder's thread was preempted. */
enum { CDP_SPIN_PAUSES = 256 };

static inline bool cdp_spin_try(_Atomic uint8_t *lock)
{
    /* Acquire pairs with the release in cdp_spin_unlock: the guarded data. */
    return atomic_exchange_explicit(lock, 1, memory_order_acquire) == 0;
}

CDP_COLD static void cdp_spin_wait(_Atomic uint8_t *lock)
{
    for (unsigned pauses = 1; !cdp_spin_try(lock); pauses++) {
        if (pauses % CDP_SPIN_PAUSES == 0) {
            cdp_os_leave_cpu();
        } else {
            cdp_os_pause();
        }
    }
}

static inline void cdp_spin_lock(_Atomic uint8_t *lock)
{
    cdp_lock_note_acquire(CDP_RANK_SPIN);
    if (CDP_UNLIKELY(!cdp_spin_try(lock))) {
        cdp_spin_wait(lock);
    }
}

static inline void cdp_spin_unlock(_Atomic uint8_t *lock)
{
    atomic_store_explicit(lock, 0, memory_order_release);
    cdp_lock_note_release(CDP_RANK_SPIN);
}

#endif
