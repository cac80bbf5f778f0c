/* An executor's fibers, and its suspended blocks. */
#ifndef CDP_EXEC_BLOCK_EXECUTOR_H
#define CDP_EXEC_BLOCK_EXECUTOR_H

#include <stdbool.h>

#include "base/attr.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "fiber/fiber.h"

/* Initializes an executor of the engine.  Its fibers run fiber_main.  False without memory. */
bool cdp_executor_init(struct cdp_executor *executor, struct cdp_engine *engine,
                       void (*fiber_main)(void *fiber)) CDP_MUST_CHECK;

/* An idle fiber.  The reserve if no stack can be allocated; then the engine has failed.  Never
 * NULL. */
struct cdp_fiber *cdp_executor_idle_fiber(struct cdp_executor *executor);

/* The fiber to switch to when a thread of the executor's current block suspends: the block's next
 * fiber, or the loop. */
static inline struct cdp_fiber *cdp_executor_next_fiber(struct cdp_executor *executor,
                                                        struct cdp_block *block)
{
    if (CDP_LIKELY(cdp_block_has_ready(block) &&
                   block->threads.next >= block->threads.direct_from)) {
        return cdp_block_take_ready(block);
    }
    if (CDP_UNLIKELY(block->threads.direct_from == CDP_NEVER_DIRECT)) {
        return executor->schedule->next_fiber(executor, block);
    }
    return cdp_executor_idle_fiber(executor);
}

/* Suspends the running fiber, and switches to the next one.  The caller has put the running fiber
 * in a queue. */
static inline void cdp_executor_suspend(struct cdp_executor *executor, struct cdp_fiber *self)
{
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fiber_switch(self, cdp_executor_next_fiber(executor, block));
}

/* Suspends the current block, which waits for children. */
void cdp_executor_put_aside(struct cdp_executor *executor, struct cdp_block *block);
/* A suspended block can continue: gives it to the schedule. */
void cdp_executor_resume(struct cdp_executor *executor, struct cdp_block *block);
/* resume of the natural schedule: appends the block to the list of resumable blocks. */
void cdp_executor_append_resumable(struct cdp_executor *executor, struct cdp_block *block);
/* Runs the tasks in the executor's mailbox, which other workers have posted. */
void cdp_executor_take_mail(struct cdp_executor *executor);

#endif
