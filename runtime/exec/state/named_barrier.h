/* A barrier of part of a block: PTX's bar and barrier, and those of tiles. */
#ifndef CDP_EXEC_STATE_NAMED_BARRIER_H
#define CDP_EXEC_STATE_NAMED_BARRIER_H

#include <stdint.h>

#include "exec/state/block.h"
#include "fiber/fiber.h"

/* A block's named barriers, which PTX gives numbers; tiles' come after them. */
enum { CDP_BARRIERS = 16 };

/* A barrier of part of a block, or one that has a number.  Owned by the block, made at
 * first use, freed when its threads have ended.
 * Invariant: came == 0 implies that lanes, yes, no and both queues are empty. */
struct cdp_named_barrier {
    struct cdp_named_barrier *next;
    uint32_t id;
    uint32_t threads;               /* to open for; of the current turn.  0: */
    uint32_t members;               /* the warps to open for */
    uint32_t came;                  /* threads that have arrived since it last opened */
    uint32_t yes, no;               /* of these, by predicate */
    uint32_t lanes[CDP_WARPS];      /* of these, by warp */
    struct cdp_fiber_queue waiting; /* until it opens */
    struct cdp_fiber_queue again;   /* until it opens: their next arrival is for the next turn */
};

#endif
