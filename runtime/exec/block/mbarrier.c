/* PTX's mbarrier: a barrier in 64 bits of memory, on which libcu++ builds cuda::barrier.
 *
 * Threads wait by polling, as in PTX (test_wait, try_wait).  A test that fails gives way to other
 * threads.  The word has three parts: the arrivals that the phase still needs, the arrivals that
 * each phase needs, and the phase's number.  An arrival returns the old word. */
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "races/history.h"
#include "races/release.h"
#include "exec/state/entry.h"
#include "exec/block/poll.h"
#include "exec/report/fault.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

#define COUNT_BITS 20
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)

static uint64_t pack(uint64_t pending, uint64_t expected, uint64_t phase)
{
    return pending | expected << COUNT_BITS | phase << 2 * COUNT_BITS;
}

static uint64_t phase_of(uint64_t word)
{
    return word >> 2 * COUNT_BITS;
}

void cdp_abi_mbarrier_init(uint64_t *barrier, uint32_t count)
{
    uint64_t needed = count & COUNT_MASK;
    /* Release: a thread that finds the barrier sees it initialized. */
    __atomic_store_n(barrier, pack(needed, needed, 0), __ATOMIC_RELEASE);
}

/* The word after count arrivals. leaving threads do not take part in later phases. */
static uint64_t after(uint64_t word, uint32_t count, uint32_t leaving)
{
    uint64_t pending = (word & COUNT_MASK) - count;
    uint64_t expected = (word >> COUNT_BITS & COUNT_MASK) - leaving;
    pending &= COUNT_MASK;
    expected &= COUNT_MASK;
    return pending != 0 ? pack(pending, expected, phase_of(word))
                        : pack(expected, expected, phase_of(word) + 1);
}

/* The blocks of a cluster arrive at each other's barriers.  For the race check an arrival is a
 * fence and an atomic access, and the end of a phase is an atomic read. */
static bool orders_blocks(const struct cdp_block *block)
{
    return CDP_UNLIKELY(block->races != NULL) && cdp_grid_has_clusters(block->grid);
}

static void note_arrival(const struct cdp_block *block, const uint64_t *barrier)
{
    uint32_t thread = cdp_abi_self->linear;
    cdp_history_fence(block->races, thread, false);
    cdp_release_read(barrier, block->races, thread);
    cdp_release_write(barrier, block->races, thread);
}

uint64_t cdp_abi_mbarrier_arrive(uint64_t *barrier, uint32_t count, uint32_t leaving)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if (orders_blocks(block)) {
        note_arrival(block, barrier);
    }
    uint64_t old = __atomic_load_n(barrier, __ATOMIC_RELAXED);
    /* Release pairs with the acquire in cdp_abi_mbarrier_test of a thread that sees the phase end.
     * Acquire: the last arrival also publishes what the other arrivals released. */
    while (!__atomic_compare_exchange_n(barrier, &old, after(old, count, leaving), true,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
    if (CDP_UNLIKELY(block->races != NULL) &&
        phase_of(after(old, count, leaving)) != phase_of(old)) {
        cdp_history_barrier(block->races); /* more than it orders: no false report */
    }
    return old;
}

uint32_t cdp_abi_mbarrier_test(const uint64_t *barrier, uint64_t phase, uint32_t is_parity)
{
    uint64_t now = phase_of(__atomic_load_n(barrier, __ATOMIC_ACQUIRE));
    bool is_over = is_parity != 0 ? (now & 1) != (phase & 1) : now != phase_of(phase);
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if (is_over && orders_blocks(block)) {
        cdp_release_read(barrier, block->races, cdp_abi_self->linear);
    }
    if (!is_over) {
        struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
        cdp_fault_check_stack(self);
        self->site = __builtin_return_address(0);
        cdp_poll_yield(block->executor, self);
    }
    return is_over;
}
