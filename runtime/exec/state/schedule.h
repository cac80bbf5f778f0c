/* A schedule: how an engine chooses what goes on.
 *
 *   natural    workers run what comes first; nothing is shuffled
 *   shuffled   CDP_SEED with CDP_SCHEDULE=free: the same, in another order of blocks and threads
 *   replayed   CDP_SEED: one worker, each of whose choices is drawn from the seed, and which
 *              takes turns with the host (loop/replay.h)
 *
 * Every schedule has resume, resume_polling, poll, clock and wall_clock: they are called where a
 * block or a thread waits anyway, or asks for the time.  Each other operation may be NULL.  Then it
 * does nothing, or leaves the natural order.  The natural schedule has none of these, so hot paths
 * pay a branch that is always predicted, and no indirect call. */
#ifndef CDP_EXEC_STATE_SCHEDULE_H
#define CDP_EXEC_STATE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/task.h"

struct cdp_block;
struct cdp_engine;
struct cdp_executor;
struct cdp_fiber;
struct cdp_fiber_queue;
struct cdp_grid;

/* The host's side of a schedule in which host and worker take turns (repeats); any host thread
 * calls these.  Other schedules have none of them: their workers are woken by the pool. */
struct cdp_schedule_host {
    /* There is new work for the worker. */
    void (*given)(struct cdp_engine *engine);
    /* What a host thread waits for may have come. */
    void (*notify)(struct cdp_engine *engine);
    /* Waits until done(arg). */
    void (*await)(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
    /* A call of the host: the worker may go on for a while. */
    void (*lend)(struct cdp_engine *engine);
    /* The engine stops. */
    void (*stop)(struct cdp_engine *engine);
};

/* Life: static, const.  An executor's operations are called by its own thread. */
struct cdp_schedule {
    bool is_natural;
    bool repeats; /* one worker, thread by thread: each run with the seed is the same */

    /* Blocks and grids. */

    /* The loop's turn, which runs on self; NULL: the loop looks for work itself. */
    void (*turn)(struct cdp_executor *executor, struct cdp_fiber *self);
    /* Takes an offer of the executor's own; NULL: the newest. */
    bool (*pop)(struct cdp_executor *executor, struct cdp_offer *out);
    /* Which block of the grid runs index-th; NULL: that one. */
    uint32_t (*block_at)(const struct cdp_executor *executor, const struct cdp_grid *grid,
                         uint32_t index);
    /* A block that was suspended, or one that has polled in vain, can go on, though not now.  Never
     * NULL. */
    void (*resume)(struct cdp_executor *executor, struct cdp_block *block);
    void (*resume_polling)(struct cdp_executor *executor, struct cdp_block *block);
    /* Those blocks, by next, if no list of the executor has them; NULL: the lists do. */
    const struct cdp_block *(*aside)(const struct cdp_executor *executor);

    /* Threads of a block. */

    /* Sets the order in which the block's threads start; NULL: the natural one. */
    void (*order_threads)(struct cdp_executor *executor, struct cdp_block *block);
    /* The running thread may give way here (cdp_schedule_point).  Only blocks whose direct_from is
     * CDP_NEVER_DIRECT ask: NULL if order_threads never sets that. */
    void (*give_way)(struct cdp_fiber *self);
    /* The running thread polls: cdp_poll_yield.  Never NULL. */
    void (*poll)(struct cdp_executor *executor, struct cdp_block *block, struct cdp_fiber *self);
    /* An order in which a barrier's threads go on; NULL: that of their arrival. */
    void (*shuffle)(struct cdp_executor *executor, struct cdp_fiber_queue *queue);

    /* Time. */

    /* What device code's clock64 and globaltimer show.  Never NULL. */
    uint64_t (*clock)(struct cdp_executor *executor);
    uint64_t (*wall_clock)(struct cdp_executor *executor);
    /* Lets nanoseconds pass while others run; NULL: the thread polls for as long. */
    void (*sleep)(struct cdp_executor *executor, struct cdp_fiber *self, uint32_t nanoseconds);

    /* Around a host function that the worker runs; NULL: nothing. */
    void (*call_begins)(struct cdp_executor *executor);
    void (*call_ended)(struct cdp_executor *executor);

    struct cdp_schedule_host host;
};

#endif
