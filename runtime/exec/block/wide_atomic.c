/* atomicCAS and atomicExch of 16 bytes.
 *
 * Not every processor has such an instruction, so a lock chosen by the address makes
 * them atomic among themselves, which is all CUDA promises of device code. */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "exec/launch/spin.h"
#include "exec/state/entry.h"

enum { WIDTH = 16, LOCKS = 64 };
static _Atomic uint8_t locks[LOCKS]; /* by address; each guards 16 bytes */

/* A bad address faults here, with no lock held.  Reads what others may be writing, and
 * forgets it, so TSan must not look. */
CDP_NOINLINE __attribute__((no_sanitize("thread"))) static void touch(const void *address)
{
    (void)*(const volatile char *)address;
}

static _Atomic uint8_t *hold(const void *address)
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
