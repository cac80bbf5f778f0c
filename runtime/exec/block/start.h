/* Blocks: how they start. */
#ifndef CDP_EXEC_BLOCK_START_H
#define CDP_EXEC_BLOCK_START_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* Makes block number index of grid the executor's current block. */
void cdp_block_start(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t index);

/* Whether the block runs by its kernel's block entry, not thread by thread.  Inline, as each start
 * of a small block asks. */
static inline bool cdp_block_uses_entry(const struct cdp_block *block)
{
    const struct cdp_abi_kernel *kernel = block->grid->kernel;
    if (CDP_LIKELY(kernel->block_entry == NULL)) {
        return false;
    }
    /* A block entry has an order of its own. */
    bool by_thread = block->executor->engine->modes.by_thread ||
                     block->view.thread_count < CDP_ABI_FEWEST_AT_ONCE;
    return !by_thread || kernel->thread_entry == NULL;
}

/* Whether it has the records by which the threads of its warps meet, or needs none.  Makes
 * them; false without memory. */
bool cdp_block_has_its_warps(struct cdp_block *block);
/* No memory for what the block's threads need: its launch tree fails. */
void cdp_block_fail(struct cdp_block *block);

#endif
