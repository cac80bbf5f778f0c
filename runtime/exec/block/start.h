/* The start of blocks. */
#ifndef CDP_EXEC_BLOCK_START_H
#define CDP_EXEC_BLOCK_START_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "exec/report/steps.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* Makes block number index of grid the executor's current block. */
void cdp_block_start(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t index);

/* Whether the block runs by its kernel's block entry, not by thread entries.  Inline, because each
 * start of a small block calls it. */
static inline bool cdp_block_uses_entry(const struct cdp_block *block)
{
    const struct cdp_abi_kernel *kernel = block->grid->kernel;
    if (CDP_LIKELY(kernel->block_entry == NULL)) {
        return false;
    }
    /* A block entry has its own order of threads, so some modes need thread entries. */
    bool by_thread = block->executor->engine->modes.by_thread ||
                     block->view.thread_count < CDP_ABI_FEWEST_AT_ONCE ||
                     (CDP_UNLIKELY(cdp_steps_is_on) && cdp_steps_need_threads(block));
    return !by_thread || kernel->thread_entry == NULL;
}

/* Allocates the records of warps that warp operations need, unless the block needs none or has
 * them.  False without memory. */
bool cdp_block_has_its_warps(struct cdp_block *block);
/* Fails the block's launch tree, because there is no memory for its threads. */
void cdp_block_fail(struct cdp_block *block);

#endif
