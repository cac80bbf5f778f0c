/* How a host thread waits. */
#ifndef CDP_EXEC_LOOP_WAIT_H
#define CDP_EXEC_LOOP_WAIT_H

#include <stdbool.h>

struct cdp_engine;

/* Whether the calling host thread is the one that lends itself to executor 0. */
bool cdp_engine_is_helper(const struct cdp_engine *engine);

/* As cdp_engine_wait_idle, or _launch, for what a moment ago was not done: it does not ask
 * before it has looked for something to run. */
void cdp_engine_await(struct cdp_engine *engine, bool idle, bool (*done)(void *arg), void *arg);

#endif
