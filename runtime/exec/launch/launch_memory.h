/* How much memory device launches that are not complete may take.
 *
 * An endless recursion would take all memory of the machine, and the system would then end some
 * process.  So launch records and blocks come out of a limited share of the memory
 * (CDP_LAUNCH_MEMORY).  When they are complete they are kept for later launches by any worker
 * (state/spare.h).  So the memory taken is little more than the most that was pending at once. */
#ifndef CDP_EXEC_LAUNCH_LAUNCH_MEMORY_H
#define CDP_EXEC_LAUNCH_LAUNCH_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/options.h"

struct cdp_executor;
struct cdp_grid;
struct cdp_launch_memory;

void cdp_launch_memory_init(struct cdp_launch_memory *memory, const struct cdp_options *options,
                            unsigned workers);
void cdp_launch_memory_finish(struct cdp_launch_memory *memory);

/* Before bytes are allocated; false if that is more than the limit leaves. */
bool cdp_launch_memory_take(struct cdp_launch_memory *memory, size_t bytes) CDP_MUST_CHECK;

/* The engine's fault for want of memory: what could not be had for a block of the grid, and, where
 * the limit is why, the limit and how deep the grid is nested. */
void cdp_launch_memory_fault(struct cdp_grid *grid, struct cdp_executor *executor,
                             const char *what);

#endif
