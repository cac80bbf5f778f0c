/* Points at which the schedule may switch from the running thread to another one. */
#ifndef CDP_EXEC_STATE_POINT_H
#define CDP_EXEC_STATE_POINT_H

#include "base/attr.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

/* The caller holds no lock. */
static inline void cdp_schedule_point(const struct cdp_block *block)
{
    /* This tests a field of the block and not the executor's schedule, because the block is in the
     * cache.  So a launch needs only one compare. */
    if (CDP_UNLIKELY(block->threads.direct_from == CDP_NEVER_DIRECT)) {
        block->executor->schedule->give_way(cdp_fiber_of(cdp_abi_self));
    }
}

#endif
