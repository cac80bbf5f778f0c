/* The schedules in which workers run freely.  The third schedule is loop/replay.h. */
#ifndef CDP_EXEC_LOOP_SCHEDULE_H
#define CDP_EXEC_LOOP_SCHEDULE_H

#include <stdint.h>

#include "exec/state/schedule.h"

extern const struct cdp_schedule cdp_schedule_natural, cdp_schedule_shuffled;

/* A shuffle of 0 .. count - 1: i -> (offset + i * stride) mod count, with stride coprime to
 * count. */
struct cdp_shuffle {
    uint32_t stride, offset;
};

/* Sets a random order of the block's threads, from the worker's random numbers. */
void cdp_schedule_shuffle_threads(struct cdp_executor *executor, struct cdp_block *block);

#endif
