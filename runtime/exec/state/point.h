/* Places where the running thread may give way to another, if the schedule says so. */
#ifndef CDP_EXEC_STATE_POINT_H
#define CDP_EXEC_STATE_POINT_H

#include "base/attr.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

/* The caller holds no lock. */
static inline void cdp_schedule_point(const struct cdp_block *block)
{
    /* A field of the block, which is at hand, and not its executor's schedule: a launch pays one
     * compare. */
    if (CDP_UNLIKELY(block->threads.direct_from == CDP_NEVER_DIRECT)) {
        block->executor->schedule->give_way(cdp_fiber_of(cdp_abi_self));
    }
}

#endif
