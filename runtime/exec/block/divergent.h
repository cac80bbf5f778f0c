/* Detection of threads of one warp that wait at different barriers.  The number of arrivals is
 * correct here, but the program is not correct on a GPU.
 *
 * If cdpcc cannot prove that whole warps reach a barrier together, the code records each barrier
 * that a thread reaches.  Other code has no extra cost. */
#ifndef CDP_EXEC_BLOCK_DIVERGENT_H
#define CDP_EXEC_BLOCK_DIVERGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/state/block.h"

/* The place at which a warp's first thread reached the block's own barrier, in the latest phase. */
struct cdp_warp_position {
    const struct cdp_abi_position *place;
    uint32_t turn; /* barrier.turn of the block at that time; 0: never */
    uint32_t thread;
};

/* A thread that has reached the block's own barrier. */
struct cdp_barrier_arrival {
    const struct cdp_abi_position *place;
    const void *pc; /* inside the call that recorded the place */
    uint32_t thread;
};

/* Owned by its block, allocated when a thread records a place, freed when the block's threads have
 * ended. */
struct cdp_barrier_positions {
    struct cdp_warp_position warps[CDP_WARPS];
    /* With --check=sync: the first thread of the phase first_turn (0: none), and whether ended
     * threads were reported.  Later barriers of the block would only repeat that. */
    struct cdp_barrier_arrival first;
    uint32_t first_turn;
    bool told_ended;
};

/* Whether two barriers are the same one in the source. */
bool cdp_divergent_is_same(const struct cdp_abi_position *a, const struct cdp_abi_position *b);

void cdp_divergent_destroy(struct cdp_block *block);

#endif
