/* Launch records and blocks that one worker has too many of, for the others.
 *
 * A worker keeps the records and blocks that it has used.  After a large tree of launches one
 * worker may have all that launch_memory.h allows, and the others none.  So a worker that has two
 * batches of one kind gives one batch away here.  A worker that has none takes a batch from here
 * before it allocates. */
#ifndef CDP_EXEC_STATE_SPARE_H
#define CDP_EXEC_STATE_SPARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lock.h"

/* The kinds are the size classes of launch records (grid.h), then blocks. */
enum { CDP_GRID_CLASSES = 10, CDP_SPARE_BLOCKS = CDP_GRID_CLASSES, CDP_SPARE_KINDS };

enum { CDP_SPARE_BATCH = 256, CDP_SPARE_KEPT = 2 * CDP_SPARE_BATCH };

/* Part of the engine, shared by all workers. */
struct cdp_spares {
    struct cdp_lock lock;
    /* By kind, lists of batches.  Changed under the lock; read without it only to see whether
     * there are any. */
    _Atomic(void *) batches[CDP_SPARE_KINDS];
};

void cdp_spares_init(struct cdp_spares *spares);
void cdp_spares_finish(struct cdp_spares *spares);

/* Moves one batch from the front of a free list, which has as many, to the spares. */
void cdp_spares_give(struct cdp_spares *spares, unsigned kind, void **list);

/* A free list of one batch; NULL if there is none. */
void *cdp_spares_take(struct cdp_spares *spares, unsigned kind);

#endif
