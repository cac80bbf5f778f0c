/* The stack that recursions of device code need on hardware, at least. See
 * tools/cdpcc/instrument/recursion.c. */
#include "check/memory.h"

#include "abi/cdp_abi.h"
#include "exec/report/finding.h"
#include "exec/report/reliance.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "fiber/fiber.h"

void cdp_abi_recurse(const struct cdp_abi_site *site, uint64_t bytes)
{
    struct cdp_fiber *fiber = cdp_fiber_of(cdp_abi_self);
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    fiber->recursion += bytes;
    /* Relaxed: a limit that the host sets while kernels run may come too late for them. */
    if (fiber->recursion >
            atomic_load_explicit(
                &block->executor->engine->devices[cdp_grid_device(block->grid)].limits.stack_size,
                memory_order_relaxed) &&
        cdp_finding_is_on(CDP_CHECKS_MEMORY)) {
        cdp_reliance_note(&cdp_reliance_stack, fiber->recursion, site);
    }
}

void cdp_abi_recurse_back(uint64_t bytes)
{
    cdp_fiber_of(cdp_abi_self)->recursion -= bytes;
}
