/* An executor's fibers, and its blocks that wait. */
#ifndef CDP_EXEC_BLOCK_EXECUTOR_H
#define CDP_EXEC_BLOCK_EXECUTOR_H

#include <stdbool.h>

#include "base/attr.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "fiber/fiber.h"

/* Sets up the executor of an engine whose fibers run fiber_main; false without memory. */
bool cdp_executor_init(struct cdp_executor *executor, struct cdp_engine *engine,
                       void (*fiber_main)(void *fiber)) CDP_MUST_CHECK;

/* An idle fiber; the reserve when no stack can be had (then the engine has failed);
 * never NULL. */
struct cdp_fiber *cdp_executor_idle_fiber(struct cdp_executor *executor);

/* What goes on when a thread of the executor's current block suspends: the block's next
 * fiber, or the loop. */
static inline struct cdp_fiber *cdp_executor_next_fiber(struct cdp_executor *executor,
                                                        struct cdp_block *block)
{
    if (CDP_LIKELY(cdp_block_has_ready(block) &&
                   block->threads.next >= block->threads.direct_from)) {
        return cdp_block_take_ready(block);
    }
    return cdp_executor_idle_fiber(executor);
}

/* Suspends the running fiber, which the caller has put where it will be found, and
 * goes on with the next. */
static inline void cdp_executor_suspend(struct cdp_executor *executor, struct cdp_fiber *self)
{
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fiber_switch(self, cdp_executor_next_fiber(executor, block));
}

/* The current block waits for children. */
void cdp_executor_put_aside(struct cdp_executor *executor, struct cdp_block *block);
/* A block that was put aside can go on: where, the schedule knows. */
void cdp_executor_resume(struct cdp_executor *executor, struct cdp_block *block);
/* The natural schedule's place: behind the other blocks that can go on. */
void cdp_executor_append_resumable(struct cdp_executor *executor, struct cdp_block *block);
/* News from other workers. */
void cdp_executor_take_mail(struct cdp_executor *executor);

#endif
