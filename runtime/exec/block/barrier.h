/* Barriers of a block: __syncthreads and its counting forms.
 *
 * Threads that have ended do not count: the block's own barrier opens when all threads
 * still alive have arrived, in whatever divergent code.  Named barriers, which may be for
 * part of a block, are in named_barrier.h. */
#ifndef CDP_EXEC_BLOCK_BARRIER_H
#define CDP_EXEC_BLOCK_BARRIER_H

#include <stdint.h>

#include "exec/block/executor.h"
#include "exec/report/fault.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

/* Threads that have arrived at the block's own barrier. */
static inline uint32_t cdp_barrier_arrived(const struct cdp_block *block)
{
    return block->barrier.arrived + cdp_ring_waiting(&block->ring);
}

/* All threads still alive have arrived. */
void cdp_barrier_open(struct cdp_block *block);
/* As above by the last to arrive. */
void cdp_barrier_open_and_go_on(struct cdp_block *block);

/* The thread, ended, does not count as arrived, and is not waited for. */
void cdp_barrier_thread_ended(struct cdp_block *block, struct cdp_fiber *fiber);

/* The calling thread waits at the block's own barrier; site: the return address of the
 * function that device code called. */
static inline void cdp_barrier_wait(struct cdp_block *block, struct cdp_fiber *self,
                                    const void *site)
{
    cdp_fault_check_stack(self);
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
/* From cdp_abi_syncthreads_bare only, where nobody in the ring can run: the calling thread arrives.
 * Returns what to switch to from sp, which is in the ring; NULL: the thread has waited. */
void *cdp_barrier_arrive(const void *site, void *sp);
#endif

/* As above, with a predicate: the number of nonzero ones, and of threads that gave any. */
struct cdp_votes {
    uint32_t yes, all;
};
struct cdp_votes cdp_barrier_vote(struct cdp_block *block, struct cdp_fiber *self, int predicate,
                                  const void *site);

#endif
