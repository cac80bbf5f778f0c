/* Surplus launch records and blocks of one worker, for the other workers.
 *
 * A worker keeps the records and blocks that it has used.  After a large tree of launches one
 * worker may have all that launch/launch_memory.h allows, and the others none.  So a worker that
 * has two batches of one kind gives one batch away here.  A worker that has none takes a batch from
 * here before it allocates. */
#ifndef CDP_EXEC_STATE_SPARE_H
#define CDP_EXEC_STATE_SPARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lock.h"

/* The kinds are the size classes of launch records (grid.h), then blocks, then streams and events.
 */
enum {
    CDP_GRID_CLASSES = 10,
    CDP_SPARE_BLOCKS = CDP_GRID_CLASSES,
    CDP_SPARE_OBJECTS,
    CDP_SPARE_KINDS
};

enum { CDP_SPARE_BATCH = 256, CDP_SPARE_KEPT = 2 * CDP_SPARE_BATCH };

/* The first members of an unused stream or event. */
struct cdp_spare_links {
    void *next;       /* of its free list */
    void *next_batch; /* used in the first object of a batch */
};

/* Part of the engine, shared by all workers. */
struct cdp_spares {
    struct cdp_lock lock;
    /* Lists of batches, by kind.  Changed under the lock.  Without the lock they are only compared
     * with NULL. */
    _Atomic(void *) batches[CDP_SPARE_KINDS];
};

void cdp_spares_init(struct cdp_spares *spares);
void cdp_spares_finish(struct cdp_spares *spares);

/* Moves one batch from the front of a free list to the spares.  The list must be long enough. */
void cdp_spares_give(struct cdp_spares *spares, unsigned kind, void **list);

/* A free list of one batch; NULL if there is none. */
void *cdp_spares_take(struct cdp_spares *spares, unsigned kind);

#endif
