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

/* Life: from a thread's first call of cdp_engine_submission_queue to the engine's end; when the
 * thread ends, another gets it.  Owner: the engine. */
struct cdp_submission_queue {
    struct cdp_engine *engine;         /* const */
    struct cdp_submission_queue *next; /* const once it is in the engine's list */
    bool taken;                        /* by a thread; under the engine's host.lock */
    /* The thread's own, also while it lends itself to executor 0. */
    struct cdp_grid_source grids;
    struct cdp_chain *chain; /* that it appends to; NULL: none */
    struct cdp_grid *last;   /* appended to it */
    uint64_t key;
    uint32_t length; /* of the chain, so far */
    /* How often its chain was appended to at rest, less how often it came to rest while the
     * thread lent itself.  Only the thread writes. */
    _Atomic uint32_t pending;
    /* The thread wants to be told when its chain rests. */
    alignas(CDP_CACHE_LINE) _Atomic bool waits;
    /* Records that came home, by task.link and size class: workers push, the thread takes
     * all. */
    alignas(CDP_CACHE_LINE) _Atomic(struct cdp_grid *) returned[CDP_GRID_CLASSES];
};

/* What a chain's word says beside its last grid: see chain.c. */
enum { CDP_CHAIN_CLOSED = 1, CDP_CHAIN_RESTS = 2 };

/* Whether the launches of the queue's open chain are complete.  By its thread.  The chain may have
 * been closed meanwhile, and its memory be another's. */
static inline bool cdp_submission_is_over(const struct cdp_submission_queue *queue)
{
    uintptr_t word = atomic_load(&queue->chain->last);
    return (word & ~(uintptr_t)CDP_CHAIN_CLOSED) != (uintptr_t)queue->last;
}

#endif
