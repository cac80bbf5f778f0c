/* The check --check=sync: barriers and warp operations that not all threads reach which must.  Here
 * such programs mostly work.  Findings are reported, and the program continues.
 *
 * The functions are called only if the check is on, by device code or at the end of a thread. */
#ifndef CDP_EXEC_BLOCK_SYNC_CHECK_H
#define CDP_EXEC_BLOCK_SYNC_CHECK_H

#include <stdint.h>

#include "exec/block/divergent.h"
#include "exec/block/meeting.h"
#include "exec/block/warp.h"
#include "exec/report/finding.h"

/* The calling thread is about to wait at the block's own barrier.  block->places is not NULL. */
void cdp_sync_check_barrier(struct cdp_block *block, const struct cdp_barrier_arrival *now);
/* A thread has ended while others wait at the block's own barrier.  block->places is not NULL. */
void cdp_sync_check_ended(struct cdp_block *block);

/* The calling thread, whose site is set, is about to join or open a meeting like mine. mask: as the
 * thread gave it. */
void cdp_sync_check_mask(struct cdp_block *block, const struct cdp_warp *warp,
                         const struct cdp_meeting *mine, uint32_t mask);
/* The calling thread, whose site is set, executes an operation whose mask does not name it. */
void cdp_sync_check_unnamed(struct cdp_block *block, const char *operation, uint32_t mask);
/* The meeting is complete. last: the lane that runs, which is in no queue; NULL if a lane has
 * ended. */
void cdp_sync_check_meeting(struct cdp_block *block, const struct cdp_warp *warp,
                            const struct cdp_meeting *meeting, const struct cdp_fiber *last);

#endif
