/* A schedule: how an engine chooses what runs next.
 *
 *   natural    workers run what comes first; no order is changed
 *   shuffled   CDP_SEED with CDP_SCHEDULE=free: the same, with another order of blocks and threads
 *   replayed   CDP_SEED: one worker.  The seed determines each of its choices.  The worker takes
 *              turns with the host (loop/replay.h)
 *
 * Every schedule has resume, resume_polling, poll, clock and wall_clock.  These are called where a
 * block or a thread waits, or reads a clock.  Each other operation may be NULL: then nothing is
 * done, or the natural order is used.  All of these are NULL in the natural schedule.  So hot paths
 * have a well-predicted branch and no indirect call. */
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

/* The host's operations of a schedule in which host and worker take turns (repeats).  Any host
 * thread calls them.  In other schedules they are NULL, because the pool wakes the workers. */
struct cdp_schedule_host {
    /* There is new work for the worker. */
    void (*given)(struct cdp_engine *engine);
    /* The condition that a host thread waits for may now hold. */
    void (*notify)(struct cdp_engine *engine);
    /* Waits until done(arg). */
    void (*await)(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
    /* The host made a call: the worker may run for a while. */
    void (*lend)(struct cdp_engine *engine);
    /* The engine stops. */
    void (*stop)(struct cdp_engine *engine);
};

/* Life: static, const.  An executor's operations are called by its own thread. */
struct cdp_schedule {
    bool is_natural;
    bool repeats; /* one worker, thread by thread: each run with the seed is the same */

    /* Blocks and grids. */

    /* One step of the loop, which runs on fiber self.  NULL: the loop looks for work itself. */
    void (*turn)(struct cdp_executor *executor, struct cdp_fiber *self);
    /* Takes an offer from the executor's own deque.  NULL: the newest one is taken. */
    bool (*pop)(struct cdp_executor *executor, struct cdp_offer *out);
    /* The block of the grid that runs in position index.  NULL: block index. */
    uint32_t (*block_at)(const struct cdp_executor *executor, const struct cdp_grid *grid,
                         uint32_t index);
    /* A block that was suspended, or one that polled without success, can continue later.  Never
     * NULL. */
    void (*resume)(struct cdp_executor *executor, struct cdp_block *block);
    void (*resume_polling)(struct cdp_executor *executor, struct cdp_block *block);
    /* The list of these blocks, by next, if they are not in the lists of the executor.  NULL: they
     * are in those lists. */
    const struct cdp_block *(*aside)(const struct cdp_executor *executor);

    /* Threads of a block. */

    /* Sets the order in which the block's threads start; NULL: the natural one. */
    void (*order_threads)(struct cdp_executor *executor, struct cdp_block *block);
    /* The fiber to switch to when a thread of the current block suspends.  It is called only for
     * blocks whose direct_from is CDP_NEVER_DIRECT.  NULL if order_threads never sets that value.
     */
    struct cdp_fiber *(*next_fiber)(struct cdp_executor *executor, struct cdp_block *block);
    /* The running thread may give way to another one (cdp_schedule_point).  It is called only for
     * blocks whose direct_from is CDP_NEVER_DIRECT. NULL if order_threads never sets that value. */
    void (*give_way)(struct cdp_fiber *self);
    /* The running thread polls: cdp_poll_yield.  Never NULL. */
    void (*poll)(struct cdp_executor *executor, struct cdp_block *block, struct cdp_fiber *self);
    /* Sets the order in which a barrier's threads continue.  NULL: the order of arrival. */
    void (*shuffle)(struct cdp_executor *executor, struct cdp_fiber_queue *queue);

    /* Time. */

    /* The values of clock64 and globaltimer in device code.  Never NULL. */
    uint64_t (*clock)(struct cdp_executor *executor);
    uint64_t (*wall_clock)(struct cdp_executor *executor);
    /* Suspends the thread for the time while others run.  NULL: the thread polls for this time. */
    void (*sleep)(struct cdp_executor *executor, struct cdp_fiber *self, uint32_t nanoseconds);

    /* Called before and after a host function that the worker runs.  NULL: nothing is done. */
    void (*call_begins)(struct cdp_executor *executor);
    void (*call_ended)(struct cdp_executor *executor);

    struct cdp_schedule_host host;
};

#endif
