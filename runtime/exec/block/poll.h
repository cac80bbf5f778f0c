/* Threads that poll: for how long, before their block lets others go first; the order in which
 * blocks that poll get their turns; and what starts meanwhile.
 *
 * A thread polls for something that another thread must do: a thread of its own block, of a block
 * that has started and polls too, of a block that has not started, or of one that another worker
 * runs. */
#ifndef CDP_EXEC_BLOCK_POLL_H
#define CDP_EXEC_BLOCK_POLL_H

#include <stdbool.h>

#include "exec/state/executor.h"

struct cdp_block;
struct cdp_executor;
struct cdp_fiber;
struct cdp_fiber_queue;

void cdp_polls_init(struct cdp_executor *executor);

/* The running fiber's thread polls for something another thread must do: lets the block's other
 * threads run, and when none can, the worker's other work. */
void cdp_poll_yield(struct cdp_executor *executor, struct cdp_fiber *self);
/* How the thread does so with the natural schedule: turn by turn. */
void cdp_poll_in_turn(struct cdp_executor *executor, struct cdp_block *block,
                      struct cdp_fiber *self);
/* The block gives way, as it has polled in vain; self waits in the queue, one of the block's. */
void cdp_poll_leave(struct cdp_executor *executor, struct cdp_block *block, struct cdp_fiber *self,
                    struct cdp_fiber_queue *queue);
/* The natural schedule's place for a block that has given way: among the executor's polls. */
void cdp_polls_add(struct cdp_executor *executor, struct cdp_block *block);
/* The block holds no threads back any more. */
void cdp_poll_release(struct cdp_block *block);
/* The block has got on. */
void cdp_poll_got_on(struct cdp_block *block);

/* With some blocks that poll: whether the next thing to do is to go on with one of them. */
bool cdp_poll_has_turn(struct cdp_executor *executor);
/* Where the next of them is, to be taken from there. */
struct cdp_block **cdp_poll_next(struct cdp_executor *executor);
/* Something else is about to be begun, if there is anything. */
void cdp_poll_begin_other(struct cdp_executor *executor);

#endif
