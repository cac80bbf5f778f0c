/* Blocks: their memory, and what ends their threads. */
#ifndef CDP_EXEC_BLOCK_BLOCK_H
#define CDP_EXEC_BLOCK_BLOCK_H

#include <stddef.h>

#include "base/attr.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

/* A block that no executor has used yet, or that others have no use for; NULL without memory. */
struct cdp_block *cdp_block_find(struct cdp_executor *executor);

/* Gives one batch to the other workers. */
void cdp_block_spare(struct cdp_executor *executor);

/* Frees unused blocks, linked by next; how many bytes they had. */
size_t cdp_blocks_destroy(struct cdp_block *list);

/* What the end of a thread sets off when others may wait for it. */
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

/* Runs on self, which the caller marks as busy before and idle afterwards, the thread whose
 * indices the caller has set.  It may suspend: then other
 * fibers go on meanwhile, and what the caller keeps of the block's state is old. */
static inline void cdp_block_call(struct cdp_block *block, struct cdp_fiber *self,
                                  void (*entry)(const void *params), const void *params)
{
    self->thread.last_error = 0;
    self->thread.launch_failed = 0;
    cdp_lock_expect_none();
    entry(params);
    cdp_block_thread_ended(block, &self->thread);
}

/* A thread ended with an error it never read: reports it, and fails the tree if the memory
 * for launches was used up. */
void cdp_block_unread_error(struct cdp_block *block, const struct cdp_abi_thread *thread);

/* Ends the calling thread's part in the block as if it had returned, and leaves its
 * fiber for good. */
CDP_NORETURN void cdp_block_abort_thread(struct cdp_block *block, struct cdp_fiber *self);

/* Drops all threads of the block, started or not.  The caller runs on none of them,
 * or on self, which it must leave for good. */
void cdp_block_kill(struct cdp_block *block);

#endif
