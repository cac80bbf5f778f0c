/* Threads of one warp that wait at different barriers: a correct count, but no correct program
 * for a GPU.
 *
 * Where cdpcc does not know that whole warps come to a barrier together, the code tells which
 * barrier it comes to.  Other code pays nothing. */
#ifndef CDP_EXEC_BLOCK_DIVERGENT_H
#define CDP_EXEC_BLOCK_DIVERGENT_H

#include <stdint.h>

#include "exec/state/block.h"

/* Where a warp's first thread came to the block's own barrier, in its last turn. */
struct cdp_warp_place {
    const struct cdp_abi_place *place;
    uint32_t turn; /* cdp_block.turn then; 0: never */
    uint32_t thread;
};

/* Owned by its block, made when a thread of it tells a place, freed with its threads. */
struct cdp_barrier_places {
    struct cdp_warp_place warps[CDP_WARPS];
};

void cdp_divergent_destroy(struct cdp_block *block);

#endif
