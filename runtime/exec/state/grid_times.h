/* What is noted of a launch behind its record. */
#ifndef CDP_EXEC_STATE_GRID_TIMES_H
#define CDP_EXEC_STATE_GRID_TIMES_H

#include "exec/state/grid.h"

/* What is noted of a launch for CDP_STATS, the race check, CDP_PROFILE and CDP_TRACE. It is after
 * the space for parameters. */
struct cdp_grid_times {
    uint64_t launch_time;                /* CDP_STATS */
    uint32_t launch_number;              /* the launch's number in races/history.h */
    uint64_t launched;                   /* CDP_PROFILE */
    uint64_t began;                      /* CDP_PROFILE; 0: no block has started */
    const struct cdp_abi_kernel *parent; /* CDP_PROFILE: that launched it; NULL: the host */
    uint64_t id, parent_id; /* CDP_TRACE: of the grid, and of the one that launched it, or 0 */
    uint64_t stream;        /* CDP_TRACE: of a launch by the host */
};
_Static_assert(sizeof(struct cdp_grid_times) <= CDP_CACHE_LINE, "the trailer of a launch record");

static inline struct cdp_grid_times *cdp_grid_times(struct cdp_grid *grid)
{
    return (struct cdp_grid_times *)(void *)((char *)(grid + 1) + ((size_t)CDP_GRID_SMALLEST_PARAMS
                                                                   << grid->size_class));
}

static inline uint32_t *cdp_grid_launch_number(struct cdp_grid *grid)
{
    return &cdp_grid_times(grid)->launch_number;
}

static inline uint64_t *cdp_grid_launch_time(struct cdp_grid *grid)
{
    return &cdp_grid_times(grid)->launch_time;
}

#endif
