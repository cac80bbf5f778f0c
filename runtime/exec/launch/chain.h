/* The host's launches: records from the lane of the launching thread, in chains.
 *
 * Consecutive launches of one thread into one stream make a chain.  To append takes two
 * atomic operations of the host and none of the worker, which goes from one launch to
 * the next as it does within a block's NULL stream (exec/state/executor.h). */
#ifndef CDP_EXEC_LAUNCH_CHAIN_H
#define CDP_EXEC_LAUNCH_CHAIN_H

#include "exec/loop/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* The host's grid is complete: goes on with the next of its chain. */
void cdp_chain_step(struct cdp_executor *executor, struct cdp_grid *grid);

bool cdp_lanes_init(struct cdp_engine *engine) CDP_MUST_CHECK;
void cdp_lanes_finish(struct cdp_engine *engine);

/* Chains that do not rest. */
uint32_t cdp_chains_pending(struct cdp_engine *engine);

/* As cdp_engine_wait_idle, or _launch, for what a moment ago was not done: it does not ask
 * before it has looked for something to run. */
void cdp_engine_await(struct cdp_engine *engine, bool idle, bool (*done)(void *arg), void *arg);

/* Gives the pool a task of the host's. */
void cdp_engine_inject(struct cdp_engine *engine, struct cdp_task *task);

#endif
