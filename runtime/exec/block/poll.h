/* Threads that poll: how long they poll before their block gives way, the order in which blocks
 * that poll run, and which work starts meanwhile.
 *
 * A thread polls for something that another thread must do.  That thread may be in the same block,
 * in a block that has started and polls, too, in a block that has not started, or in a block of
 * another worker. */
#ifndef CDP_EXEC_BLOCK_POLL_H
#define CDP_EXEC_BLOCK_POLL_H

#include <stdbool.h>

#include "exec/state/executor.h"

struct cdp_block;
struct cdp_executor;
struct cdp_fiber;
struct cdp_fiber_queue;

void cdp_polls_init(struct cdp_executor *executor);

/* The running thread polls for something that another thread must do.  Runs the block's other
 * threads, and the worker's other work if none of them can run. */
void cdp_poll_yield(struct cdp_executor *executor, struct cdp_fiber *self);
/* The same, if no other thread of the block can run: gives way to other blocks at once. */
void cdp_poll_give_way(struct cdp_executor *executor, struct cdp_fiber *self);
/* poll of the natural schedule: the threads of a block run in turn. */
void cdp_poll_in_turn(struct cdp_executor *executor, struct cdp_block *block,
                      struct cdp_fiber *self);
/* The block has polled without success and gives way. self waits in queue, which is one of the
 * block's queues. */
void cdp_poll_leave(struct cdp_executor *executor, struct cdp_block *block, struct cdp_fiber *self,
                    struct cdp_fiber_queue *queue);
/* resume_polling of the natural schedule: adds the block to the executor's polls. */
void cdp_polls_add(struct cdp_executor *executor, struct cdp_block *block);
/* The block does not hold any more: all its threads may start. */
void cdp_poll_release(struct cdp_block *block);
/* The block has passed a barrier. That is progress, so earlier polls do not count, unless threads
 * poll before many barriers. These may wait for another block: one of them polls, and tells the
 * others across barriers. */
void cdp_poll_passed_barrier(struct cdp_block *block);
/* A block of a cluster has made progress: its wait for other blocks has ended. */
void cdp_poll_progressed(struct cdp_block *block);

/* Whether the worker runs a polling block next.  There are some. */
bool cdp_poll_has_turn(struct cdp_executor *executor);
/* The link to the next polling block.  The caller removes the block there. */
struct cdp_block **cdp_poll_next(struct cdp_executor *executor);
/* Called before the worker looks for other work to begin. */
void cdp_poll_begin_other(struct cdp_executor *executor);

#endif
