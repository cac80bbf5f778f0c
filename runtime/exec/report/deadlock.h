/* Where the threads of a block stand, and what they wait for. */
#ifndef CDP_EXEC_REPORT_DEADLOCK_H
#define CDP_EXEC_REPORT_DEADLOCK_H

#include "exec/state/block.h"

/* The block's threads wait for each other and for nothing else: reports it, if it is the
 * first fault, and fails the tree.  The caller kills the block. */
void cdp_deadlock_report(struct cdp_block *block);

/* Where its threads stand, for any reason.  On the block's executor; running is the
 * thread that is in no queue, with its site set, or NULL. */
void cdp_deadlock_print(const struct cdp_block *block, const struct cdp_fiber *running);

#endif
