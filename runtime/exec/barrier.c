/* __syncthreads and its counting forms.
 *
 * The last thread to arrive does not switch; the others were put aside, each at the
 * price of one switch. */
#include "exec/barrier.h"

#include "exec/entry.h"
#include "exec/replay.h"

void cdp_barrier_open(struct cdp_block *block)
{
    block->released = block->arrived - block->passers;
    block->released_votes = block->votes;
    block->arrived = block->passers = block->votes = block->yields = 0;
    block->turn += 2;
    if (CDP_UNLIKELY(block->executor->replay != NULL)) {
        cdp_replay_shuffle(block->executor->replay, &block->barrier);
    }
    cdp_fiber_append(&block->ready, &block->barrier);
}

void cdp_barrier_open_and_go_on(struct cdp_block *block)
{
    cdp_barrier_open(block);
    cdp_replay_point(block);
}

void cdp_barrier_thread_ended(struct cdp_block *block, struct cdp_fiber *fiber)
{
    if (CDP_UNLIKELY(fiber->passed != 0)) {
        bool counted = fiber->passed == block->turn;
        block->arrived -= counted;
        block->passers -= counted;
        fiber->passed = 0;
    }
    if (block->arrived != 0 && block->arrived == block->alive) {
        cdp_barrier_open(block);
    }
}

void cdp_abi_syncthreads(void)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    cdp_barrier_wait(cdp_block_of(&self->thread), self, __builtin_return_address(0));
}

#ifdef CDP_SWITCH_BARE
/* For callers that keep nothing in registers: what a waiting thread leaves is two words beside
 * its caller's frame, mostly one cache line instead of two or three, and that decides how many
 * waiting threads the first-level cache holds. */
CDP_SWITCH_BARE(cdp_abi_syncthreads_bare, cdp_barrier_arrive)

static CDP_NOINLINE struct cdp_switch_pair arrive_slowly(struct cdp_block *block,
                                                         struct cdp_fiber *self, const void *site)
{
    cdp_barrier_wait(block, self, site);
    return (struct cdp_switch_pair){NULL, NULL};
}

/* Calls nothing on the way of most, so that it needs no stack. */
struct cdp_switch_pair cdp_barrier_arrive(const void *site, const char *sp)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    struct cdp_fiber *to = block->ready.head;
    if (CDP_UNLIKELY(sp < self->floor)) {
        cdp_fault_stack_short(self, site);
    }
    if (CDP_ASAN || CDP_TSAN || to == NULL || block->next_thread < block->direct_from ||
        block->arrived + 1 == block->alive) {
        return arrive_slowly(block, self, site);
    }
    block->arrived++;
    self->site = site;
    cdp_fiber_push(&block->barrier, self);
    block->ready.head = to->next;
    cdp_fiber_announce(to);
    return (struct cdp_switch_pair){&self->sp, to->sp};
}
#endif

/* The results of a barrier stand until the next one opens, which needs every thread
 * of this one to arrive again. */
struct cdp_votes cdp_barrier_vote(struct cdp_block *block, struct cdp_fiber *self, int predicate,
                                  const void *site)
{
    cdp_fault_check_stack(self);
    block->votes += predicate != 0;
    cdp_barrier_wait(block, self, site);
    return (struct cdp_votes){.yes = block->released_votes, .all = block->released};
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
