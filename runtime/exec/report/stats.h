/* CDP_STATS=1, and for checked programs: the number of launches by device code, their waiting
 * times, the most pending launches, the nesting depth, and the number of blocks that ran by block
 * entries.  CDP_STATS=1 prints them at exit.
 *
 * Otherwise nothing is counted: a launch only tests one flag of the engine. */
#ifndef CDP_EXEC_REPORT_STATS_H
#define CDP_EXEC_REPORT_STATS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cdp_engine;
struct cdp_executor;
struct cdp_grid;

/* Counts a launched grid. pending is the number of pending launches, including this one.  With
 * CDP_STATS=1 the record has space for the launch time after its parameters (struct
 * cdp_grid_source, trailer). */
void cdp_stats_launched(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t pending);
/* The grid's first block starts on this executor. */
void cdp_stats_started(struct cdp_executor *executor, const struct cdp_grid *grid);
/* A kernel's block entry was called, and ran this many blocks. */
void cdp_stats_entry_called(struct cdp_executor *executor, uint32_t ran);
/* Device code of the executor's uses something: bits of enum cdp_stats_use. */
void cdp_stats_note(struct cdp_executor *executor, uint32_t uses);

/* The sums and maxima of all executors. */
struct cdp_stats_summary {
    uint64_t launches, started, waited, longest;
    uint32_t deepest, pending, uses;
    const void *deepest_site, *pending_site; /* return addresses of launches with these numbers */
};
void cdp_stats_summarize(const struct cdp_engine *engine, struct cdp_stats_summary *out);
/* Prints one or two lines to stderr. */
void cdp_stats_print(const struct cdp_engine *engine);

#endif
