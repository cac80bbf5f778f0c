/* The table of a grid's clusters. */
#include "exec/state/cluster.h"

#include <string.h>

#include "base/alloc.h"

static struct cdp_clusters *create(const uint32_t grid_dim[3], const uint32_t dim[3])
{
    uint32_t count = 1, blocks = 1;
    for (int i = 0; i < 3; i++) {
        blocks *= grid_dim[i];
        count *= grid_dim[i] / dim[i];
    }
    struct cdp_clusters *clusters =
        cdp_alloc_zero(sizeof *clusters + count * sizeof clusters->of[0]);
    if (clusters != NULL) {
        memcpy(clusters->dim, dim, sizeof clusters->dim);
        clusters->count = count;
        atomic_init(&clusters->blocks_left, blocks);
    }
    return clusters;
}

bool cdp_grid_set_clusters(struct cdp_grid *grid, const uint32_t grid_dim[3], const uint32_t dim[3])
{
    struct cdp_grid_barrier *barrier = cdp_grid_barrier(grid);
    memset(barrier, 0, sizeof *barrier);
    barrier->clusters = create(grid_dim, dim);
    if (barrier->clusters == NULL) {
        return false;
    }
    grid->device |= CDP_GRID_CLUSTERED;
    return true;
}
