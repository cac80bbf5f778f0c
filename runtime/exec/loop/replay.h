/* The schedule of CDP_SEED: one worker, and the seed determines every choice.
 *
 * The choices are: which thread of a block continues; whether a thread gives way at a switch point
 * (a launch, a barrier, a warp operation, a poll, any other call of the runtime); which started
 * block continues; which block of which grid starts. sched/turn.h chooses between the host and the
 * worker.
 *
 * Choices with equal probabilities find few errors.  For example, it would almost never happen that
 * a whole launch tree overtakes a thread, or that blocks run strictly one after the other.  So the
 * seed first determines probabilities (habits), and then the choices with these probabilities. */
#ifndef CDP_EXEC_LOOP_REPLAY_H
#define CDP_EXEC_LOOP_REPLAY_H

#include <stdint.h>

#include "exec/state/schedule.h"

struct cdp_replay;

/* The state of this schedule for one engine.  NULL without memory. */
struct cdp_replay *cdp_replay_create(uint32_t seed);
void cdp_replay_destroy(struct cdp_replay *replay);

extern const struct cdp_schedule cdp_schedule_replayed;

#endif
