/* The allocation and reuse of launch records.
 *
 * Each worker, and each submission queue of the host, has its own source.  Only the spares
 * (state/spare.h) are shared. */
#ifndef CDP_EXEC_LAUNCH_RECORD_H
#define CDP_EXEC_LAUNCH_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* The size class for so many bytes of parameters; CDP_GRID_CLASSES: too many. */
unsigned cdp_grid_class_of(size_t param_size);

/* An unused record for so many bytes of parameters.  Only its size class is initialized.  NULL when
 * out of memory or param_size is over 32,768. */
struct cdp_grid *cdp_grid_source_find(struct cdp_grid_source *source, size_t param_size);

/* The same, inlined for the usual case. */
static inline struct cdp_grid *cdp_grid_source_pick(struct cdp_grid_source *source,
                                                    size_t param_size)
{
    struct cdp_grid *grid = source->free[0];
    if (CDP_LIKELY(grid != NULL && param_size <= CDP_GRID_SMALLEST_PARAMS)) {
        source->free[0] = cdp_grid_linked(grid);
        return grid;
    }
    return cdp_grid_source_find(source, param_size);
}

/* Sets all fields to zero except size_class and task.run. */
static inline void cdp_grid_renew(const struct cdp_grid_source *source, struct cdp_grid *grid)
{
    uint8_t size_class = grid->size_class;
    memset(grid, 0, sizeof *grid);
    grid->size_class = size_class;
    grid->task.run = source->run;
}

/* An unused record with all fields initialized. */
static inline struct cdp_grid *cdp_grid_source_take(struct cdp_grid_source *source,
                                                    size_t param_size)
{
    struct cdp_grid *grid = cdp_grid_source_pick(source, param_size);
    if (CDP_LIKELY(grid != NULL)) {
        cdp_grid_renew(source, grid);
    }
    return grid;
}

static inline void cdp_grid_source_give(struct cdp_grid_source *source, struct cdp_grid *grid)
{
    struct cdp_grid **list = &source->free[grid->size_class];
    cdp_grid_link(grid, *list);
    *list = grid;
}

/* Gives surplus records of this worker to the other workers.  It walks the worker's lists, so it is
 * called rarely. */
void cdp_grids_spare(struct cdp_executor *executor);

/* An initialized record from this executor's source. */
static inline struct cdp_grid *cdp_grid_take(struct cdp_executor *home, size_t param_size)
{
    struct cdp_grid *grid = cdp_grid_source_take(&home->records.source, param_size);
    if (CDP_LIKELY(grid != NULL)) {
        grid->home = home;
    }
    return grid;
}

/* Adds the record to this executor's source. */
static inline void cdp_grid_give(struct cdp_executor *executor, struct cdp_grid *grid)
{
    cdp_grid_source_give(&executor->records.source, grid);
}

#endif
