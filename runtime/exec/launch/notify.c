/* Notifications between host threads and workers. */
#include "exec/launch/notify.h"

#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "os/os.h"
#include "sched/park.h"

void cdp_engine_inject(struct cdp_engine *engine, struct cdp_task *task)
{
    cdp_pool_inject(&engine->pool, task);
    if (CDP_UNLIKELY(engine->modes.takes_turns)) {
        engine->schedule->host.given(engine);
    }
}

void cdp_engine_notify(struct cdp_engine *engine)
{
    atomic_fetch_add(&engine->host.epoch, 1);
    if (CDP_UNLIKELY(engine->modes.takes_turns)) {
        engine->schedule->host.notify(engine);
        return;
    }
    if (atomic_load(&engine->host.waiters) != 0) {
        cdp_os_wake(&engine->host.epoch, INT32_MAX);
    }
    struct cdp_executor *helper = engine->executors[0];
    if (!helper->worker.has_thread) {
        cdp_park_wake(&helper->worker);
    }
}
