/* How a host thread waits. */
#ifndef CDP_EXEC_LOOP_WAIT_H
#define CDP_EXEC_LOOP_WAIT_H

#include <stdbool.h>

struct cdp_engine;

/* Whether the calling host thread is the one that is bound to executor 0. */
bool cdp_engine_is_helper(const struct cdp_engine *engine);

#endif
