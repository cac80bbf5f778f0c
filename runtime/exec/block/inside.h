/* Children that run inside their parent: a launch by device code runs the whole child at once, on
 * the stack of the launching thread, instead of storing it for later.
 *
 * A child that no earlier work of its stream delays may as well run at once.  Its kernel calls
 * nothing of the runtime and waits for nothing.  So nothing that its parent does later can matter
 * to it.  It needs no record in a stream or a deque, no block of its own and no completion: these
 * often take longer than the child itself.  And its parameters are still in the first-level cache.
 *
 * Only children of brief kernels run inside, and only if other workers could hardly have helped:
 * the child has few threads, or the other workers have other work (cdp_inside_most).  All others
 * are stored.  So are all launches that are counted, checked or profiled (executor->plain). */
#ifndef CDP_EXEC_BLOCK_INSIDE_H
#define CDP_EXEC_BLOCK_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "exec/block/plain_launch.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* The most threads of a child inside its parent, and its most blocks.  Children in the NULL stream
 * run one after the other in any case, but other workers could run some blocks of a larger child.
 * Other children may run at the same time, so the limit is less work than another worker needs to
 * take a child.  UNSHARED: there are no other workers, or these have other work.  Then larger
 * children run inside, too: a child that is stored delays all later ones of its stream. */
enum {
    CDP_INSIDE_MOST_IN_ORDER = 1024,
    CDP_INSIDE_MOST = 64,
    CDP_INSIDE_MOST_UNSHARED = 1 << 15,
    CDP_INSIDE_MOST_BLOCKS = 1024
};

/* Runs the child of parent, whose newest buffer is grid.  False: it does not run inside, and
 * nothing was changed. */
bool cdp_inside_run(struct cdp_block *parent, struct cdp_grid *grid,
                    const struct cdp_plain_launch *launch);

/* The most threads of a child inside its parent.  in_order: it is in the NULL stream. */
static inline uint32_t cdp_inside_most(const struct cdp_executor *executor, bool in_order)
{
    if (executor->alone || (in_order && !cdp_deque_ring_seems_empty(&executor->worker.deque))) {
        return CDP_INSIDE_MOST_UNSHARED;
    }
    return in_order ? CDP_INSIDE_MOST_IN_ORDER : CDP_INSIDE_MOST;
}

/* Whether the child may run inside its parent.  is_idle: no work is in the child's stream. */
static inline bool cdp_inside_may_run(const struct cdp_executor *executor,
                                      const struct cdp_plain_launch *launch, bool is_idle)
{
    bool in_order = launch->stream == NULL && !launch->forgets;
    return (launch->kernel->flags & CDP_KERNEL_BRIEF) != 0 && is_idle &&
           (uint64_t)launch->blocks * launch->threads <= cdp_inside_most(executor, in_order) &&
           executor->blocks.inside != NULL && !cdp_engine_has_failed(executor->engine);
}

/* Allocates what children inside their parents need, unless launches of this engine never run so.
 * False without memory. */
bool cdp_inside_init(struct cdp_executor *executor) CDP_MUST_CHECK;
void cdp_inside_finish(struct cdp_executor *executor);

#endif
