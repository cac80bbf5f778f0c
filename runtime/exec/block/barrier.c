/* __syncthreads and its forms with a predicate.
 *
 * The last thread to arrive does not switch.  Each of the others has cost one switch. */
#include "exec/block/barrier.h"

#include "races/history.h"
#include "exec/state/entry.h"
#include "exec/block/executor.h"
#include "exec/block/poll.h"
#include "exec/block/sync_check.h"
#include "exec/report/fault.h"
#include "exec/state/point.h"

void cdp_barrier_open(struct cdp_block *block)
{
    if (cdp_steps_has(block)) {
        cdp_steps_add(&(struct cdp_step){.kind = CDP_STEP_OPEN});
    }
    block->barrier.released = cdp_barrier_arrived(block) - block->barrier.arrive_only;
    block->barrier.released_votes = block->barrier.votes;
    block->barrier.arrived = block->barrier.arrive_only = block->barrier.votes = 0;
    cdp_poll_passed_barrier(block);
    block->barrier.turn += 2;
    if (CDP_UNLIKELY(block->executor->schedule->shuffle != NULL)) {
        block->executor->schedule->shuffle(block->executor, &block->barrier.waiting);
    }
    if (CDP_UNLIKELY(block->races != NULL)) {
        cdp_history_barrier(block->races);
    }
    cdp_fiber_append(&block->ready, &block->barrier.waiting);
    cdp_ring_open(&block->ring);
}

void cdp_barrier_open_and_go_on(struct cdp_block *block)
{
    cdp_barrier_open(block);
    cdp_schedule_point(block);
}

void cdp_barrier_thread_ended(struct cdp_block *block, struct cdp_fiber *fiber)
{
    if (CDP_UNLIKELY(fiber->arrived_turn != 0)) {
        bool counted = fiber->arrived_turn == block->barrier.turn;
        block->barrier.arrived -= counted;
        block->barrier.arrive_only -= counted;
        fiber->arrived_turn = 0;
    }
    uint32_t arrived = cdp_barrier_arrived(block);
    if (CDP_UNLIKELY(block->places != NULL) && arrived != 0) {
        cdp_sync_check_ended(block);
    }
    if (arrived != 0 && arrived == block->threads.alive) {
        cdp_barrier_open(block);
    }
}

void cdp_abi_syncthreads(void)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    cdp_barrier_wait(cdp_block_of(&self->thread), self, __builtin_return_address(0));
}

#ifdef CDP_SWITCH_RING
_Static_assert(offsetof(struct cdp_ring_entry, thread) == 8 && sizeof(struct cdp_ring_entry) == 16,
               "CDP_SWITCH_RING");
CDP_SWITCH_RING(cdp_abi_syncthreads_bare, cdp_executor_here, offsetof(struct cdp_executor, current),
                offsetof(struct cdp_block, ring.at), cdp_barrier_arrive)

void *cdp_barrier_arrive(const void *site, void *sp)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    struct cdp_executor *executor = block->executor;
    if (CDP_UNLIKELY((char *)sp < self->floor)) {
        cdp_fault_stack_short(self, site);
    }
    bool is_last = cdp_barrier_arrived(block) + 1 == block->threads.alive;
    if (is_last || cdp_steps_has(block) || CDP_ASAN || CDP_TSAN ||
        block->threads.direct_from == CDP_NEVER_DIRECT || !cdp_ring_reserve(&block->ring)) {
        cdp_barrier_wait(block, self, site);
        return NULL;
    }
    struct cdp_fiber *to = cdp_executor_next_fiber(executor, block);
    block->flags.uses_ring = true;
    cdp_ring_wait(&block->ring, &self->thread, sp);
    cdp_fiber_announce(to);
    return to->sp;
}
#endif

/* The results of a barrier are valid until the next one opens.  That needs all threads to arrive
 * again, so they have read the results. */
struct cdp_votes cdp_barrier_vote(struct cdp_block *block, struct cdp_fiber *self, int predicate,
                                  const void *site)
{
    cdp_fault_check_stack(self);
    block->barrier.votes += predicate != 0;
    cdp_barrier_wait(block, self, site);
    return (struct cdp_votes){.yes = block->barrier.released_votes, .all = block->barrier.released};
}

static struct cdp_votes vote(int predicate, const void *site)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    return cdp_barrier_vote(cdp_block_of(&self->thread), self, predicate, site);
}

int cdp_abi_syncthreads_count(int predicate)
{
    return (int)vote(predicate, __builtin_return_address(0)).yes;
}

int cdp_abi_syncthreads_and(int predicate)
{
    struct cdp_votes votes = vote(predicate, __builtin_return_address(0));
    return votes.yes == votes.all;
}

int cdp_abi_syncthreads_or(int predicate)
{
    return vote(predicate, __builtin_return_address(0)).yes != 0;
}
