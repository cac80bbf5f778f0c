/* Where the threads of a block stand, and what they wait for. */
#ifndef CDP_EXEC_STUCK_H
#define CDP_EXEC_STUCK_H

#include "exec/block.h"

/* The block's threads wait for each other and for nothing else: reports it, if it is the
 * first fault, and fails the tree.  The caller kills the block. */
void cdp_stuck_report(struct cdp_block *block);

#endif
