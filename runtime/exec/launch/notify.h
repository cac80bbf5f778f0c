/* Notifications between host threads and workers. */
#ifndef CDP_EXEC_LAUNCH_NOTIFY_H
#define CDP_EXEC_LAUNCH_NOTIFY_H

#include "sched/task.h"

struct cdp_engine;

/* Gives a task of the host to the pool. */
void cdp_engine_inject(struct cdp_engine *engine, struct cdp_task *task);

/* Makes each waiting host thread test its condition again.  Any thread may call this. */
void cdp_engine_notify(struct cdp_engine *engine);

#endif
