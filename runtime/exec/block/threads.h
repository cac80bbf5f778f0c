/* The threads of a block, run on fibers. */
#ifndef CDP_EXEC_BLOCK_THREADS_H
#define CDP_EXEC_BLOCK_THREADS_H

#include <stdbool.h>

#include "exec/state/block.h"

/* Runs unstarted threads of the block on the calling fiber until one of them
 * suspends (then another fiber goes on) or none is left.  False: the fiber was left for others
 * meanwhile, and is taken up again for whatever there is to do now. */
bool cdp_block_run_threads(struct cdp_block *block, struct cdp_fiber *self);

#endif
