/* A host thread's submission queue: its launch records, and the chain that it appends to.
 *
 * Its functions are declared in chain.h.  This header shows the struct to the files that need it.
 */
#ifndef CDP_EXEC_LAUNCH_SUBMISSION_QUEUE_H
#define CDP_EXEC_LAUNCH_SUBMISSION_QUEUE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "exec/launch/chain.h"
#include "exec/state/executor.h"

struct cdp_engine;
struct cdp_grid;

/* Life: from a thread's first call of cdp_engine_submission_queue to the engine's end.  When the
 * thread ends, another thread may get the queue.  Owner: the engine. */
struct cdp_submission_queue {
    struct cdp_engine *engine;         /* const */
    struct cdp_submission_queue *next; /* const once it is in the engine's list */
    bool taken;                        /* a thread uses it; written under the engine's host.lock */
    /* Only the queue's thread accesses these, also while it runs the loop of executor 0. */
    struct cdp_grid_source grids;
    struct cdp_chain *chain; /* the chain that it appends to; NULL: none */
    struct cdp_grid *last;   /* the last grid that was appended to chain */
    uint64_t key;
    uint32_t length; /* launches in the chain so far */
    /* The number of appends to chains at rest.  A chain that comes to rest again in this thread's
     * loop of executor 0 is subtracted.  Only the thread writes. */
    _Atomic uint32_t pending;
    /* The thread waits to be notified when its chain is at rest. */
    alignas(CDP_CACHE_LINE) _Atomic bool waits;
    /* Lists of returned records, by task.link, for each size class.  Workers push, and the thread
     * takes whole lists. */
    alignas(CDP_CACHE_LINE) _Atomic(struct cdp_grid *) returned[CDP_GRID_CLASSES];
};

/* Flag bits of a chain's word: see chain.c. */
enum { CDP_CHAIN_CLOSED = 1, CDP_CHAIN_RESTS = 2 };

/* Whether all launches of the chain that the queue's thread opened last are complete.  Only this
 * thread calls it.  The chain may have been closed meanwhile, and its memory may be in other
 * use. */
static inline bool cdp_submission_is_over(const struct cdp_submission_queue *queue)
{
    uintptr_t word = atomic_load(&queue->chain->last);
    return (word & ~(uintptr_t)CDP_CHAIN_CLOSED) != (uintptr_t)queue->last;
}

#endif
