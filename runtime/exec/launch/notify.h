/* What a host thread and the workers tell each other. */
#ifndef CDP_EXEC_LAUNCH_NOTIFY_H
#define CDP_EXEC_LAUNCH_NOTIFY_H

#include "sched/task.h"

struct cdp_engine;

/* Gives the pool a task of the host's. */
void cdp_engine_inject(struct cdp_engine *engine, struct cdp_task *task);

/* What a host thread waits for may have come: each asks again.  Any thread may call this. */
void cdp_engine_notify(struct cdp_engine *engine);

#endif
