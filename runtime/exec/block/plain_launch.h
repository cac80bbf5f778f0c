/* A launch by device code of a grid of one dimension without shared memory: what the paths of plain
 * grids (plain.h) and of children inside their parents (inside.h) share. */
#ifndef CDP_EXEC_BLOCK_PLAIN_LAUNCH_H
#define CDP_EXEC_BLOCK_PLAIN_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "exec/launch/grid.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* Life: the launch. */
struct cdp_plain_launch {
    const struct cdp_abi_kernel *kernel;
    void *params; /* from cdp_scope_buffer */
    uint32_t blocks, threads;
    bool forgets;                     /* fire and forget; else into a stream of the block: */
    struct cdp_device_stream *stream; /* a private one; NULL: the NULL stream */
    const void *site;
};

/* Sets what does not depend on where the grid runs: its kernel, parent and shape. */
static inline void cdp_plain_describe(struct cdp_grid *grid, struct cdp_block *parent,
                                      const struct cdp_plain_launch *launch)
{
    grid->kernel = launch->kernel;
    grid->parent = parent;
    grid->home = parent->executor;
    grid->shape.grid_dim[0] = launch->blocks;
    grid->shape.grid_dim[1] = grid->shape.grid_dim[2] = 1;
    grid->shape.dynamic_shared = 0;
    grid->shape.block_count = launch->blocks;
    grid->shape.block_dim[0] = (uint16_t)launch->threads;
    grid->shape.block_dim[1] = grid->shape.block_dim[2] = 1;
    grid->shape.depth = cdp_grid_depth_below(parent->view.depth);
    grid->kind = CDP_GRID_CHILD;
    grid->device = (uint8_t)cdp_grid_device(parent->grid);
    grid->site = launch->site;
}

#endif
