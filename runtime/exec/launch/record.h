/* Launch records: where they come from, and where they go when a grid is complete.
 *
 * Each worker, and each submission queue of the host, has a source of its own: nothing here is
 * shared but the spares (state/spare.h). */
#ifndef CDP_EXEC_LAUNCH_RECORD_H
#define CDP_EXEC_LAUNCH_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* CDP_GRID_CLASSES: too many bytes. */
unsigned cdp_grid_class_of(size_t param_size);

/* An unused record for so many bytes of parameters; only its size class is right.  NULL
 * when out of memory or param_size is over 32,768. */
struct cdp_grid *cdp_grid_source_find(struct cdp_grid_source *source, size_t param_size);

/* The same; mostly without a call. */
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

/* Makes it zero but for its size class and task.run. */
static inline void cdp_grid_renew(const struct cdp_grid_source *source, struct cdp_grid *grid)
{
    uint8_t size_class = grid->size_class;
    memset(grid, 0, sizeof *grid);
    grid->size_class = size_class;
    grid->task.run = source->run;
}

/* The same, renewed. */
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

/* Gives the records that this worker has too many of to the others.  It walks the worker's lists,
 * so it is called now and then only. */
void cdp_grids_spare(struct cdp_executor *executor);

/* A fresh record of this executor's. */
static inline struct cdp_grid *cdp_grid_take(struct cdp_executor *home, size_t param_size)
{
    struct cdp_grid *grid = cdp_grid_source_take(&home->records.source, param_size);
    if (CDP_LIKELY(grid != NULL)) {
        grid->home = home;
    }
    return grid;
}

/* The record is this executor's from here on. */
static inline void cdp_grid_give(struct cdp_executor *executor, struct cdp_grid *grid)
{
    cdp_grid_source_give(&executor->records.source, grid);
}

#endif
