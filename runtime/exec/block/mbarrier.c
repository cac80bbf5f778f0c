/* PTX's mbarrier: a barrier in 64 bits of memory, on which libcu++ builds cuda::barrier.
 *
 * A phase ends when no arrivals and no bytes are pending.  An arrival returns the word before it.
 * Threads wait by polling, as in PTX (test_wait, try_wait).  A test that fails gives way to other
 * threads.  As on an H100, only the parity of the phase counts in a test, and what overflows the
 * barrier's counts is a launch failure. */
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

/* The word: the arrivals that the phase still needs, the arrivals that each phase needs, the bytes
 * that are pending, and the parity of the phase. */
enum { COUNT_BITS = 20, EXPECTED_SHIFT = 20, BYTES_SHIFT = 40, PARITY_SHIFT = 63 };
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
enum { MOST_BYTES = (1 << COUNT_BITS) - 1, BYTES_MASK = (1 << (COUNT_BITS + 2)) - 1 };

/* Bytes may be complete before they are expected: then they are negative. */
struct state {
    uint32_t pending, expected;
    int32_t bytes;
    uint32_t parity;
};

static uint64_t pack(struct state state)
{
    uint64_t bytes = (uint32_t)state.bytes & BYTES_MASK;
    return state.pending | (uint64_t)state.expected << EXPECTED_SHIFT | bytes << BYTES_SHIFT |
           (uint64_t)state.parity << PARITY_SHIFT;
}

static struct state unpack(uint64_t word)
{
    uint32_t bytes = (uint32_t)(word >> BYTES_SHIFT) & BYTES_MASK;
    bool is_negative = bytes > BYTES_MASK / 2;
    return (struct state){
        .pending = (uint32_t)(word & COUNT_MASK),
        .expected = (uint32_t)(word >> EXPECTED_SHIFT & COUNT_MASK),
        .bytes = (int32_t)bytes - (is_negative ? BYTES_MASK + 1 : 0),
        .parity = (uint32_t)(word >> PARITY_SHIFT),
    };
}

static void check_aligned(const uint64_t *barrier, const void *site)
{
    if (CDP_UNLIKELY((uintptr_t)barrier % sizeof *barrier != 0)) {
        cdp_fault_raise(CDP_FAULT_MISALIGNED, (const char *)site - 1,
                        "mbarrier at %p, which must be aligned to 8 bytes", (const void *)barrier);
    }
}

void cdp_abi_mbarrier_init(uint64_t *barrier, uint32_t count)
{
    check_aligned(barrier, __builtin_return_address(0));
    uint32_t needed = count & COUNT_MASK;
    /* Release: a thread that finds the barrier sees it initialized. */
    __atomic_store_n(barrier, pack((struct state){.pending = needed, .expected = needed}),
                     __ATOMIC_RELEASE);
}

/* What an operation does to a barrier. */
struct change {
    uint32_t arrivals;
    uint32_t leaving; /* of them, those that do not take part in later phases */
    int32_t bytes;    /* more than 0: expected; less: complete */
};

/* NULL: the barrier's counts can hold the change; else what overflows. */
static const char *overflow(struct state state, struct change change)
{
    int64_t bytes = (int64_t)state.bytes + change.bytes;
    return change.arrivals > state.pending ? "arrivals than the phase still needs"
           : bytes > MOST_BYTES            ? "expected bytes than 1,048,575"
           : bytes < -MOST_BYTES ? "complete bytes than 1,048,575 before they are expected"
                                 : NULL;
}

static struct state after(struct state state, struct change change)
{
    state.pending -= change.arrivals;
    state.expected = (state.expected - change.leaving) & COUNT_MASK;
    state.bytes += change.bytes;
    if (state.pending == 0 && state.bytes == 0) {
        state.pending = state.expected;
        state.parity ^= 1;
    }
    return state;
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

/* Returns the word before the change. */
static uint64_t apply(uint64_t *barrier, struct change change, const void *site)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    check_aligned(barrier, site);
    if (orders_blocks(block)) {
        note_arrival(block, barrier);
    }
    uint64_t old = __atomic_load_n(barrier, __ATOMIC_RELAXED), now;
    /* Release pairs with the acquire in cdp_abi_mbarrier_test of a thread that sees the phase end.
     * Acquire: the last change also publishes what was before the others. */
    do {
        struct state state = unpack(old);
        const char *what = overflow(state, change);
        if (CDP_UNLIKELY(what != NULL)) {
            cdp_fault_raise(CDP_FAULT_LAUNCH, (const char *)site - 1,
                            "more %s at the mbarrier %p (arrivals: %u, bytes: %d), or it is not "
                            "initialized",
                            what, (void *)barrier, state.pending, state.bytes);
        }
        now = pack(after(state, change));
    } while (
        !__atomic_compare_exchange_n(barrier, &old, now, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    if (CDP_UNLIKELY(block->races != NULL) && (old ^ now) >> PARITY_SHIFT != 0) {
        cdp_history_barrier(block->races); /* more than it orders: no false report */
    }
    return old;
}

uint64_t cdp_abi_mbarrier_arrive(uint64_t *barrier, uint32_t count, uint32_t leaving)
{
    return apply(barrier, (struct change){.arrivals = count, .leaving = leaving},
                 __builtin_return_address(0));
}

void cdp_abi_mbarrier_transact(uint64_t *barrier, uint32_t bytes, uint32_t is_complete)
{
    /* More than the barrier can hold, without an overflow here. */
    int32_t count = bytes > 2 * COUNT_MASK + 1 ? 2 * MOST_BYTES + 1 : (int32_t)bytes;
    apply(barrier, (struct change){.bytes = is_complete != 0 ? -count : count},
          __builtin_return_address(0));
}

uint32_t cdp_abi_mbarrier_test(const uint64_t *barrier, uint64_t phase, uint32_t is_parity)
{
    uint32_t now = unpack(__atomic_load_n(barrier, __ATOMIC_ACQUIRE)).parity;
    bool is_over = now != (is_parity != 0 ? (phase & 1) : unpack(phase).parity);
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if (is_over && orders_blocks(block)) {
        cdp_release_read(barrier, block->races, cdp_abi_self->linear);
    }
    if (is_over && cdp_grid_has_clusters(block->grid)) {
        cdp_poll_progressed(block);
    }
    if (!is_over) {
        struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
        cdp_fault_check_stack(self);
        self->site = __builtin_return_address(0);
        cdp_poll_yield(block->executor, self);
    }
    return is_over;
}
