/* Reads of shared memory that nobody has written yet.
 *
 * If the race check is on, they are reported when their block ends. A thread that writes too late,
 * because a barrier is missing, is a race: then the report of the race is enough. */
#ifndef CDP_EXEC_REPORT_UNWRITTEN_H
#define CDP_EXEC_REPORT_UNWRITTEN_H

#include "abi/cdp_check.h"
#include "exec/report/finding.h"
#include "exec/state/block.h"

/* A finding of the running thread of the block. Its texts are copied. Reports it at once if the
 * race check is off or there is no memory. */
void cdp_unwritten_add(struct cdp_block *block, const struct cdp_finding *finding);
/* At the end of the block, if block->races->unwritten is not NULL. */
void cdp_unwritten_tell(struct cdp_block *block);

/* A race of the access at that line was found. Any thread may call it. */
void cdp_unwritten_has_race(const struct cdp_abi_site *site);

#endif
