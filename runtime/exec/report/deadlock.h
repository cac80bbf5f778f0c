/* Reports of the states of a block's threads: their source lines, and what they wait for. */
#ifndef CDP_EXEC_REPORT_DEADLOCK_H
#define CDP_EXEC_REPORT_DEADLOCK_H

#include "exec/state/block.h"

/* All threads of the block wait for each other.  Reports this if it is the first fault, and fails
 * the launch tree.  The caller kills the block. */
void cdp_deadlock_report(struct cdp_block *block);

/* Prints the states of the block's threads, and its launches.  Called on the block's executor.
 * running is the thread that is in no queue, with its site set, or NULL. */
void cdp_deadlock_print(const struct cdp_block *block, const struct cdp_fiber *running);

/* "thread 5", "threads 128-255": the threads of the block that have ended.  Called on the block's
 * executor. running: a thread that has not ended although it is in no queue, or NULL. */
void cdp_deadlock_name_ended(const struct cdp_block *block, const struct cdp_fiber *running,
                             char *out, size_t size);

#endif
