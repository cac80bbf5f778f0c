/* Named barriers: PTX's bar and barrier with a number, a count, or both. */
#ifndef CDP_EXEC_BLOCK_NAMED_BARRIER_H
#define CDP_EXEC_BLOCK_NAMED_BARRIER_H

#include "exec/report/wait.h"
#include "exec/state/block.h"
#include "exec/state/named_barrier.h"

/* A lane has ended: opens the barriers that waited only for it. */
void cdp_named_barriers_lane_ended(struct cdp_block *block);
/* Moves all fibers that wait at named barriers to queue; the block is being killed. */
void cdp_named_barriers_collect(struct cdp_block *block, struct cdp_fiber_queue *queue);
void cdp_named_barriers_destroy(struct cdp_block *block);
/* Visits the threads that wait at named barriers. */
void cdp_named_barriers_visit(const struct cdp_block *block,
                              const struct cdp_wait_visitor *visitor);

#endif
