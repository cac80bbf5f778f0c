/* atomicCAS and atomicExch of 16 bytes.
 *
 * Not every processor has such an instruction, so a lock chosen by the address makes
 * them atomic among themselves, which is all CUDA promises of device code. */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "exec/state/entry.h"
#include "os/os.h"

enum { WIDTH = 16, LOCKS = 64 };
static atomic_flag locks[LOCKS];

/* A bad address faults here, with no lock held.  Reads what others may be writing, and
 * forgets it, so TSan must not look. */
CDP_NOINLINE __attribute__((no_sanitize("thread"))) static void touch(const void *address)
{
    (void)*(const volatile char *)address;
}

/* No fiber is switched while one is held.  Acquire and release: the 16 bytes. */
static atomic_flag *hold(const void *address)
{
    touch(address);
    atomic_flag *lock = &locks[(uintptr_t)address / WIDTH % LOCKS];
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire)) {
        cdp_os_pause();
    }
    return lock;
}

void cdp_abi_cas128(void *address, const void *expected, const void *desired, void *old)
{
    char before[WIDTH];
    atomic_flag *lock = hold(address);
    memcpy(before, address, WIDTH);
    if (memcmp(before, expected, WIDTH) == 0) {
        memcpy(address, desired, WIDTH);
    }
    atomic_flag_clear_explicit(lock, memory_order_release);
    memcpy(old, before, WIDTH);
}

void cdp_abi_exch128(void *address, const void *desired, void *old)
{
    char before[WIDTH];
    atomic_flag *lock = hold(address);
    memcpy(before, address, WIDTH);
    memcpy(address, desired, WIDTH);
    atomic_flag_clear_explicit(lock, memory_order_release);
    memcpy(old, before, WIDTH);
}
