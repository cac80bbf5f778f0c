/* atomicCAS and atomicExch of 16 bytes.
 *
 * Not every processor has such an instruction.  So a lock, which is chosen by the address, makes
 * them atomic with respect to each other.  CUDA guarantees no more for device code. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "exec/launch/spin.h"
#include "exec/state/entry.h"

enum { WIDTH = 16, LOCKS = 64 };
static _Atomic uint8_t locks[LOCKS]; /* by address; each guards 16 bytes */

/* Writes back the value in memory, in one atomic step, so other accesses are not affected.  If the
 * exchange fails, another thread has just written.  Then the address can be written, too. */
__attribute__((always_inline)) static inline void rewrite(char *byte)
{
    char value = __atomic_load_n(byte, __ATOMIC_RELAXED);
    (void)__atomic_compare_exchange_n(byte, &value, value, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED);
}

/* An address that cannot be read or written faults here, while no lock is held.  TSan would report
 * these accesses as races, and would hold an internal lock at a fault. */
CDP_NOINLINE CDP_UNSEEN_BY_SANITIZERS static void touch(char *address)
{
    rewrite(address);
    rewrite(address + WIDTH - 1);
}

static _Atomic uint8_t *hold(void *address)
{
    touch(address);
    _Atomic uint8_t *lock = &locks[(uintptr_t)address / WIDTH % LOCKS];
    cdp_spin_lock(lock);
    return lock;
}

void cdp_abi_cas128(void *address, const void *expected, const void *desired, void *old)
{
    char before[WIDTH];
    _Atomic uint8_t *lock = hold(address);
    memcpy(before, address, WIDTH);
    if (memcmp(before, expected, WIDTH) == 0) {
        memcpy(address, desired, WIDTH);
    }
    cdp_spin_unlock(lock);
    memcpy(old, before, WIDTH);
}

void cdp_abi_exch128(void *address, const void *desired, void *old)
{
    char before[WIDTH];
    _Atomic uint8_t *lock = hold(address);
    memcpy(before, address, WIDTH);
    memcpy(address, desired, WIDTH);
    cdp_spin_unlock(lock);
    memcpy(old, before, WIDTH);
}
