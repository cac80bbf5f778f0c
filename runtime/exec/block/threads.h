/* The threads of a block, run on fibers. */
#ifndef CDP_EXEC_BLOCK_THREADS_H
#define CDP_EXEC_BLOCK_THREADS_H

#include <stdbool.h>

#include "exec/state/block.h"

/* Runs the block's threads that have not started on the calling fiber, until none is left.  If a
 * thread suspends, another fiber continues with the rest.  False: other fibers ran meanwhile.  The
 * calling fiber is used again, and the loop must look for work. */
bool cdp_block_run_threads(struct cdp_block *block, struct cdp_fiber *self);

#endif
