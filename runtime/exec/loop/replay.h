/* The schedule that CDP_SEED names: one worker, and every choice drawn from the seed.
 *
 * What can be chosen: which of a block's threads goes on, and whether it gives way to
 * another at a switch point (a launch, a barrier, a warp operation, a turn of polling,
 * any other call of the runtime); which started block goes on; which grid's which block
 * starts.  Whose turn it is, the host's or the worker's, is sched/turn.h's business.
 *
 * Uniform choices alone find little: a thread that is overtaken by a whole launch tree,
 * or blocks that run strictly one after the other, would almost never come up.  So a
 * seed first draws habits, and then choices with the chances these give. */
#ifndef CDP_EXEC_LOOP_REPLAY_H
#define CDP_EXEC_LOOP_REPLAY_H

#include <stdint.h>

#include "exec/state/schedule.h"

struct cdp_replay;

/* What an engine with this schedule keeps; NULL without memory. */
struct cdp_replay *cdp_replay_create(uint32_t seed);
void cdp_replay_destroy(struct cdp_replay *replay);

extern const struct cdp_schedule cdp_schedule_replayed;

#endif
