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
#ifndef CDP_EXEC_REPLAY_H
#define CDP_EXEC_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "exec/executor.h"
#include "fiber/fiber.h"
#include "sched/task.h"
#include "sched/turn.h"

/* Chances in 256. */
struct cdp_habits {
    uint32_t give_way; /* a running thread, at a switch point */
    uint32_t leave;    /* a block that could go on, for another */
    uint32_t begin;    /* a thread that has not started rather than one that has */
    uint32_t start;    /* a block that has not started rather than one that has */
    uint32_t newest;   /* the newest grid rather than any */
};

/* The worker's, but for turn.  Life: the engine's. */
struct cdp_replay {
    struct cdp_turn turn;
    struct cdp_habits habits; /* const */
    uint64_t random;
    uint64_t clock;           /* what device code's clocks show, in nanoseconds */
    struct cdp_offer *offers; /* blocks that have not started; owned */
    size_t offer_count, offer_room;
    struct cdp_block *aside; /* started blocks that can go on, by next */
    uint32_t aside_count;
    uint32_t busy_count; /* of these, but for those that poll */
};

struct cdp_replay *cdp_replay_create(uint32_t seed);
void cdp_replay_destroy(struct cdp_replay *replay);

/* A started block that can go on, though not now. */
void cdp_replay_line_up(struct cdp_replay *replay, struct cdp_block *block);

/* One turn of the loop, which runs on self. */
void cdp_replay_turn(struct cdp_executor *executor, struct cdp_fiber *self);

/* The running thread may give way here.  The caller holds no lock. */
void cdp_replay_give_way(struct cdp_fiber *self);
static inline void cdp_replay_point(const struct cdp_block *block)
{
    if (CDP_UNLIKELY(block->direct_from == CDP_NEVER_DIRECT)) {
        cdp_replay_give_way(cdp_fiber_of(cdp_abi_self));
    }
}
/* The running thread polls or touched a volatile variable: it goes on once all others that
 * can have had a turn, so that lanes which communicate like this, without a word to the
 * compiler or us, stay in step as they do on a device. */
void cdp_replay_poll(struct cdp_executor *executor, struct cdp_fiber *self);

/* An order in which a barrier's threads go on. */
void cdp_replay_shuffle(struct cdp_replay *replay, struct cdp_fiber_queue *queue);

/* Device code's clock: it goes on with the schedule's steps, so that what a program does
 * by the clock repeats too. */
uint64_t cdp_replay_clock(struct cdp_replay *replay);
/* Lets nanoseconds pass while others run. */
void cdp_replay_nanosleep(struct cdp_executor *executor, struct cdp_fiber *self,
                          uint32_t nanoseconds);

#endif
