/* CDP_STATS=1: what device code launched, how long its launches waited, how many pended
 * at most and how deep they went, and how many blocks ran by block entries; told at exit.
 *
 * Nothing is counted without it: a launch asks one flag of the engine. */
#ifndef CDP_EXEC_REPORT_STATS_H
#define CDP_EXEC_REPORT_STATS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cdp_engine;
struct cdp_executor;
struct cdp_grid;

/* The grid was launched, as one of so many that are not complete; its record has room
 * for the time behind its parameters (struct cdp_grid_source, trailer). */
void cdp_stats_launched(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t pending);
/* Its first block starts here. */
void cdp_stats_started(struct cdp_executor *executor, const struct cdp_grid *grid);
/* A kernel's block entry was asked to run a block, and ran so many. */
void cdp_stats_asked(struct cdp_executor *executor, uint32_t ran);
/* One or two lines on stderr. */
void cdp_stats_tell(const struct cdp_engine *engine);

#endif
