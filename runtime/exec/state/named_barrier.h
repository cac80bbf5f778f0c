/* Barriers of part of a block: those of PTX's bar and barrier instructions, and those of tiles. */
#ifndef CDP_EXEC_STATE_NAMED_BARRIER_H
#define CDP_EXEC_STATE_NAMED_BARRIER_H

#include <stdint.h>

#include "exec/state/block.h"
#include "fiber/fiber.h"

/* The number of a block's named barriers in PTX. The barriers of tiles have higher numbers. */
enum { CDP_BARRIERS = 16 };

/* A named barrier, or the barrier of a tile.  Owned by the block, allocated at first use, freed
 * when the block's threads have ended.
 * Invariant: came == 0 implies that lanes, yes, no and both queues are empty. */
struct cdp_named_barrier {
    struct cdp_named_barrier *next;
    uint32_t id;
    uint32_t threads; /* opens for this many threads, in the current phase. 0: opens for members */
    uint32_t members; /* opens for these warps */
    uint32_t came;    /* threads that have arrived since it last opened */
    uint32_t yes, no; /* threads of came, by predicate */
    uint32_t lanes[CDP_WARPS];      /* threads of came: a mask of lanes for each warp */
    struct cdp_fiber_queue waiting; /* until it opens */
    struct cdp_fiber_queue again;   /* wait until it opens, and arrive for the next phase then */
};

#endif
