/* __syncthreads and its counting forms.
 *
 * Threads that have ended do not count: the barrier opens when all threads still
 * alive have arrived, in whatever divergent code.  The last to arrive does not
 * switch; the others were put aside, each at the price of one switch. */
#include "exec/block.h"
#include "exec/executor.h"
#include "exec/entry.h"
#include "exec/fault.h"

void cdp_block_open_barrier(struct cdp_block *block)
{
    block->released = block->arrived;
    block->released_votes = block->votes;
    block->arrived = block->votes = block->yields = 0;
    cdp_fiber_append(&block->ready, &block->barrier);
}

static inline void wait(struct cdp_block *block, struct cdp_fiber *self)
{
    cdp_fault_check_stack(self);
    if (++block->arrived == block->alive) {
        cdp_block_open_barrier(block);
        return;
    }
    cdp_fiber_push(&block->barrier, self);
    cdp_executor_suspend(block->executor, self);
}

void cdp_abi_syncthreads(void)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    wait(cdp_block_of(&self->thread), self);
}

/* The results of a barrier stand until the next one opens, which needs every thread
 * of this one to arrive again. */
static struct cdp_block *vote(int predicate)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fault_check_stack(self);
    block->votes += predicate != 0;
    wait(block, self);
    return block;
}

int cdp_abi_syncthreads_count(int predicate)
{
    return (int)vote(predicate)->released_votes;
}

int cdp_abi_syncthreads_and(int predicate)
{
    const struct cdp_block *block = vote(predicate);
    return block->released_votes == block->released;
}

int cdp_abi_syncthreads_or(int predicate)
{
    return vote(predicate)->released_votes != 0;
}

/* Numbered barriers other than the whole block's are not supported: a report, not a
 * wrong result. */
void cdp_abi_barrier(uint32_t id, uint32_t threads)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if (id != 0 || (threads != 0 && threads != block->view.thread_count)) {
        cdp_fault_raise(CDP_NOT_SUPPORTED,
                        "barrier %u for %u threads: only barrier 0 for the whole block exists", id,
                        threads);
    }
    cdp_abi_syncthreads();
}
