/* The host's launches of brief kernels: the launching thread runs them itself. */
#include "exec/loop/brief.h"

#include "exec/loop/loop.h"
#include "exec/loop/wait.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "os/os.h"

/* Threads of the whole grid. */
enum { MOST_THREADS_IN_ALL = 1024 };
/* In ticks (some thousand per microsecond).  MOST_SPENT: the time that brief launches may take
 * together.  FORGOTTEN: after so long without a brief launch, the count starts again. */
enum { MOST_SPENT = 24000, FORGOTTEN = 200000 };

static bool is_small(const struct cdp_grid *grid)
{
    uint64_t threads =
        (uint64_t)grid->shape.block_dim[0] * grid->shape.block_dim[1] * grid->shape.block_dim[2];
    return grid->shape.block_count * threads <= MOST_THREADS_IN_ALL;
}

/* Only the thread that is bound to executor 0 may run a grid.  A launch does not bind a thread,
 * because many threads may launch.  The first wait does. */
static bool may_lend(const struct cdp_engine *engine)
{
    return !engine->modes.by_thread && cdp_executor_here == NULL && cdp_engine_is_helper(engine) &&
           cdp_mailbox_seems_empty(&engine->pool.injected);
}

bool cdp_brief_try(struct cdp_engine *engine, struct cdp_grid *grid)
{
    if (!is_small(grid) || !may_lend(engine)) {
        return false;
    }
    struct cdp_executor *executor = engine->executors[0];
    struct cdp_brief *brief = &executor->help.brief;
    uint64_t now = cdp_os_ticks();
    if (now - brief->last > FORGOTTEN) {
        brief->spent = 0;
    }
    if (brief->spent > MOST_SPENT) {
        return false;
    }
    cdp_loop_run_now(executor, grid);
    brief->last = cdp_os_ticks();
    brief->spent += brief->last - now;
    return true;
}
