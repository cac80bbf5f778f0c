/* How much memory device launches that are not complete may take.
 *
 * An endless recursion would take all memory of the machine, and the system would then kill some
 * process.  So launch records and blocks are allocated from a limited share of the memory
 * (CDP_LAUNCH_MEMORY).  After their launch is complete, they are reused for later launches by any
 * worker (state/spare.h).  So the memory in use is little more than that of the most launches that
 * were pending at once. */
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

/* Called before bytes are allocated.  False if the limit does not allow so many. */
bool cdp_launch_memory_take(struct cdp_launch_memory *memory, size_t bytes) CDP_MUST_CHECK;

/* Sets the engine's fault for lack of memory. what is the object that could not be allocated for a
 * block of the grid.  If the limit is the reason, the report has the limit and the nesting depth of
 * the grid. */
void cdp_launch_memory_fault(struct cdp_grid *grid, struct cdp_executor *executor,
                             const char *what);

#endif
