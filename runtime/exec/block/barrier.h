/* The block's own barrier: __syncthreads and its forms with a predicate.
 *
 * The barrier opens when all threads that have not ended have arrived.  They may arrive in
 * divergent code.  Named barriers, which may be for part of a block, are in named_barrier.h. */
#ifndef CDP_EXEC_BLOCK_BARRIER_H
#define CDP_EXEC_BLOCK_BARRIER_H

#include <stdint.h>

#include "exec/block/executor.h"
#include "exec/report/fault.h"
#include "exec/report/steps.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

/* Threads that have arrived at the block's own barrier. */
static inline uint32_t cdp_barrier_arrived(const struct cdp_block *block)
{
    return block->barrier.arrived + cdp_ring_waiting(&block->ring);
}

/* Opens the barrier, because all threads that have not ended have arrived. */
void cdp_barrier_open(struct cdp_block *block);
/* The same, called by the last thread to arrive, which continues. */
void cdp_barrier_open_and_go_on(struct cdp_block *block);

/* The thread has ended: it does not count as arrived, and the barrier does not wait for it. */
void cdp_barrier_thread_ended(struct cdp_block *block, struct cdp_fiber *fiber);

/* The calling thread waits at the block's own barrier. site is the return address of the function
 * that device code called. */
static inline void cdp_barrier_wait(struct cdp_block *block, struct cdp_fiber *self,
                                    const void *site)
{
    cdp_fault_check_stack(self);
    if (cdp_steps_has(block)) {
        cdp_steps_arrive(self->thread.linear, site);
    }
    block->barrier.arrived++;
    if (cdp_barrier_arrived(block) == block->threads.alive) {
        cdp_barrier_open_and_go_on(block);
        return;
    }
    self->site = site;
    cdp_fiber_push(&block->barrier.waiting, self);
    cdp_executor_suspend(block->executor, self);
}

#ifdef CDP_SWITCH_RING
/* The calling thread arrives.  Called only by cdp_abi_syncthreads_bare, when no thread of the ring
 * can run. sp is stored in the ring, and the stack pointer to switch to is returned.  NULL: the
 * thread has already waited. */
void *cdp_barrier_arrive(const void *site, void *sp);
#endif

/* cdp_barrier_wait with a predicate.  Returns the number of nonzero predicates, and the number of
 * threads that gave a predicate. */
struct cdp_votes {
    uint32_t yes, all;
};
struct cdp_votes cdp_barrier_vote(struct cdp_block *block, struct cdp_fiber *self, int predicate,
                                  const void *site);

#endif
