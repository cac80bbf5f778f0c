/* Blocks: their memory, and the end of their threads. */
#ifndef CDP_EXEC_BLOCK_BLOCK_H
#define CDP_EXEC_BLOCK_BLOCK_H

#include <stddef.h>

#include "base/attr.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

/* A block from the spares, or a new one.  NULL without memory. */
struct cdp_block *cdp_block_find(struct cdp_executor *executor);

/* Gives one batch of unused blocks to the spares, for other workers. */
void cdp_block_spare(struct cdp_executor *executor);

/* Frees a list of unused blocks, linked by next.  Returns how many bytes they had. */
size_t cdp_blocks_destroy(struct cdp_block *list);

/* The end of a thread, in the case that other threads may wait for it. */
void cdp_block_thread_ended_slowly(struct cdp_block *block, struct cdp_abi_thread *thread);

static inline void cdp_block_thread_ended(struct cdp_block *block, struct cdp_abi_thread *thread)
{
    block->threads.alive--;
    if (CDP_UNLIKELY(block->barrier.arrived != 0 ||
                     (block->flags.uses_ring && cdp_ring_waiting(&block->ring) != 0) ||
                     block->warps != NULL || thread->launch_failed != 0)) {
        cdp_block_thread_ended_slowly(block, thread);
    }
}

/* Runs a thread on the fiber self.  The caller has set the thread's indices.  It marks self as busy
 * before the call, and as not busy afterwards.  The thread may suspend.  Then other fibers run, and
 * values of the block's state that the caller holds are out of date. */
static inline void cdp_block_call(struct cdp_block *block, struct cdp_fiber *self,
                                  void (*entry)(const void *params), const void *params)
{
    self->thread.last_error = 0;
    self->thread.launch_failed = 0;
    cdp_lock_expect_none();
    entry(params);
    cdp_block_thread_ended(block, &self->thread);
}

/* Reports an error that a thread never read before it ended.  Fails the launch tree if the memory
 * for launches was used up. */
void cdp_block_unread_error(struct cdp_block *block, const struct cdp_abi_thread *thread);

/* Ends the calling thread as if it had returned, and abandons its fiber. */
CDP_NORETURN void cdp_block_abort_thread(struct cdp_block *block, struct cdp_fiber *self);

/* Drops all threads of the block, started or not.  The caller does not run on the fiber of such a
 * thread, or abandons this fiber afterwards. */
void cdp_block_kill(struct cdp_block *block);

#endif
