/* Warp operations for fibers: the lanes of a mask meet, even in divergent code. */
#ifndef CDP_EXEC_BLOCK_WARP_H
#define CDP_EXEC_BLOCK_WARP_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/report/wait.h"
#include "exec/state/block.h"

struct cdp_meeting;

/* One warp of a block that may use warp operations.  Owned by the block. */
struct cdp_warp {
    uint32_t live;                /* lanes that exist and have not ended */
    struct cdp_meeting *meetings; /* incomplete meetings; each on its first lane's stack */
};

bool cdp_warps_create(struct cdp_block *block) CDP_MUST_CHECK;
void cdp_warps_destroy(struct cdp_block *block);

/* The thread has ended: no meeting waits for it any more. */
void cdp_warp_lane_ended(struct cdp_block *block, uint32_t linear);

/* No other thread of the block can run: releases the threads that wait in __activemask. */
void cdp_warp_release_converged(struct cdp_block *block);

/* Moves all fibers that wait in warp operations to queue; the block is being killed. */
void cdp_warps_collect(struct cdp_block *block, struct cdp_fiber_queue *queue);
/* Visits the threads that wait in warp operations. */
void cdp_warps_visit(const struct cdp_block *block, const struct cdp_wait_visitor *visitor);

#endif
