/* Reliances: the largest of each kind. */
#include "exec/report/reliance.h"

#include "exec/state/block.h"

struct cdp_reliance cdp_reliance_host_memory, cdp_reliance_stack;

void cdp_reliance_note(struct cdp_reliance *reliance, uint64_t amount,
                       const struct cdp_abi_site *site)
{
    /* Relaxed: reports come after the device's work. */
    if (amount > atomic_load_explicit(&reliance->amount, memory_order_relaxed)) {
        atomic_store_explicit(&reliance->amount, amount, memory_order_relaxed);
        atomic_store_explicit(&reliance->site, site, memory_order_relaxed);
        atomic_store_explicit(&reliance->kernel, cdp_block_of(cdp_abi_self)->grid->kernel,
                              memory_order_relaxed);
    }
}
