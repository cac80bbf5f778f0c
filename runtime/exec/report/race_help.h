/* What a report of a race advises. */
#ifndef CDP_EXEC_REPORT_RACE_HELP_H
#define CDP_EXEC_REPORT_RACE_HELP_H

#include <stdbool.h>

struct cdp_finding;
struct cdp_race_conflict;

/* The advice for the finding, whose places have their sites; NULL: there is none. is_shared: the
 * memory is a block's. is_one_warp: the block has no more threads than a warp. */
const char *cdp_race_help(const struct cdp_finding *finding,
                          const struct cdp_race_conflict *conflict, bool is_shared,
                          bool is_one_warp);

#endif
