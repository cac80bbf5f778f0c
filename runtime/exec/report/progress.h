/* CDP_PROGRESS=1: once a second a line about how far the launches are. SIGUSR1: what each waiting
 * thread of device code waits for. Both are for programs that run long, or hang. */
#ifndef CDP_EXEC_REPORT_PROGRESS_H
#define CDP_EXEC_REPORT_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cdp_engine;

/* What one OS thread has counted. Only its owner writes, with relaxed loads and stores; sums may
 * miss the latest ones. */
struct cdp_progress_counts {
    _Atomic uint64_t grids, grids_ended;
    _Atomic uint64_t blocks, blocks_ended;
    _Atomic uint32_t deepest; /* depth of a grid */
};

/* Const after the library is loaded. Then cdp_profile_is_on is set, too. */
extern bool cdp_progress_is_on;

/* A grid of so many blocks is launched, or is complete; blocks are complete. */
void cdp_progress_launched(uint32_t blocks, uint32_t depth);
void cdp_progress_grid_ended(void);
void cdp_progress_blocks_ended(uint32_t blocks);

/* Starts the thread that prints, if it is on; and answers SIGUSR1 from now on, unless the program
 * does so itself. */
void cdp_progress_start(struct cdp_engine *engine);
/* Ends that thread. Called before the workers end. */
void cdp_progress_stop(struct cdp_engine *engine);
/* Prints the last line. At the end of the program. */
void cdp_progress_finish(const struct cdp_engine *engine);

#endif
