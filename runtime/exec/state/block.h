/* A resident block: its threads, what each of them waits for, and its children.
 *
 * A block belongs to the executor that started it, from its first instruction to its last.  No
 * other thread accesses it, so no field is atomic. */
#ifndef CDP_EXEC_STATE_BLOCK_H
#define CDP_EXEC_STATE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/status.h"
#include "exec/state/epoch.h"
#include "exec/state/grid.h"
#include "exec/state/ring.h"
#include "fiber/fiber.h"

struct cdp_warp;
struct cdp_named_barrier;
struct cdp_executor;
struct cdp_barrier_positions;
struct cdp_history_block;
struct cdp_cluster;

enum { CDP_LANES = 32, CDP_WARPS = CDP_MOST_THREADS / CDP_LANES };

/* Value of direct_from with CDP_SEED: the loop chooses the next thread (exec/loop/replay.h). */
#define CDP_NEVER_DIRECT UINT32_MAX

/* How long a block has polled without progress (block/poll.c). */
struct cdp_polling {
    uint32_t yields;   /* polls since the block last gave way to other blocks */
    uint32_t limit;    /* at this many yields, the block may give way */
    uint16_t patience; /* polls per runnable thread before the block gives way */
    uint16_t alive;    /* threads that had not ended when the limit was last reached; 0: never */
    uint16_t rounds;   /* grows with barriers before which a thread polled */
    bool is_released; /* its remaining threads have started although it polls; whether that helps is
                         not known yet */
    bool gave_way;    /* since the last barrier */
};

/* Which threads have started, and which may start. */
struct cdp_block_threads {
    uint32_t next;        /* threads from this one on have not started */
    uint32_t may_start;   /* threads from this one on may not start; all may, unless flags.holds */
    uint32_t direct_from; /* once next reaches this, a thread that waits switches straight to the
                             next thread, because all have started */
    uint32_t alive;       /* threads that have not ended, whether they have started or not */
    /* owned; what its threads executed, in a build with --count; else NULL */
    struct cdp_count_block *counts;
};

/* The block's own barrier, __syncthreads.
 * Invariant: arrived + the ring's threads that wait <= alive. */
struct cdp_block_barrier {
    uint32_t arrived;                  /* threads that have arrived, except those in the ring */
    uint32_t arrive_only;              /* those of arrived that do not wait */
    uint32_t turn;                     /* number of the current phase: 1, 3, 5, ..., never 0 */
    uint32_t votes;                    /* nonzero predicates so far */
    uint32_t released, released_votes; /* waiting threads and votes of the last phase */
    struct cdp_fiber_queue waiting;    /* threads that wait, except those in the ring */
};

/* What the block launched.
 * Invariant: count == 0 implies that waiting is empty. */
struct cdp_block_children {
    uint32_t count;                 /* launched grids that the block does not know to be complete */
    struct cdp_grid *null_tail;     /* last grid of the NULL stream; NULL: idle */
    struct cdp_scope_slot *objects; /* owned; streams and events that only this block may use */
    struct cdp_grid *buffers;       /* parameter buffers that are not launched; by task.link */
    struct cdp_fiber_queue waiting; /* threads that wait for their epochs, oldest first */
    struct cdp_epochs epochs;       /* initialized once, reused with the block */
};

/* The order in which threads start. */
struct cdp_block_order {
    uint32_t stride; /* 0: natural order; else the i-th thread is (offset + i * stride) mod count */
    uint32_t offset; /* used if stride is not 0 */
    uint32_t next_idx[3]; /* threadIdx of threads.next, in natural order; unused if the block is one
                             row */
};

/* Eight bytes: the start of a block clears them with one store. */
struct cdp_block_flags {
    bool threads_done; /* only children are left to wait for */
    bool polls;        /* has given way because its threads only polled */
    bool holds;        /* starts no more threads while its started threads poll */
    bool leads;        /* the blocks after it are the next ones of the executor's batch */
    bool asserted;     /* a thread failed an assertion */
    bool uses_ring;    /* some thread has waited in the ring */
    bool is_suspended; /* waits for children, and is not current on its worker */
    bool is_whole;     /* runs by a block entry; see cdp_abi_thread.active_threads */
};

/* The block's shared memory, and the cluster whose blocks use it, too. */
struct cdp_block_slab {
    size_t size;      /* bytes; 0: none */
    uint32_t written; /* with the init check: leading bytes that were found to be written */
    uint32_t rank;    /* in the cluster */
    struct cdp_cluster *cluster; /* state/cluster.h; NULL: none.  It owns the memory, unless it is a
                                    block's own */
};

/* Links in the executor's list of suspended blocks (flags.is_suspended). */
struct cdp_block_suspension {
    struct cdp_block *next, *before;
};

/* A resident block.
 * Life: from cdp_block_start until its threads have ended and children.count == 0.  Then it is on
 * its executor's free list until the executor is destroyed.
 * Owner: the executor that started it.  There is no lock, and no field is atomic.
 * Invariant (cdp_block_is_valid): every thread that has started and not ended has a fiber.  This
 * fiber runs, or is in exactly one queue or the ring of this block, or waits in a warp or at a
 * named barrier.
 * Invariant: on the free list its queues are empty, and null_tail, objects, buffers, warps, named,
 * places and slab.cluster are NULL. */
struct cdp_block {
    struct cdp_abi_block view; /* what device code sees; first, so the pointers convert */
    struct cdp_grid *grid;
    struct cdp_executor *executor; /* const until the block is given to the spares */
    /* The fields that the start of a block writes are ordered by alignment, so no store crosses a
     * cache line. */
    struct cdp_block_threads threads;
    struct cdp_polling poll;
    struct cdp_block_barrier barrier;
    struct cdp_block_flags flags;
    struct cdp_block_children children;
    struct cdp_block_order order;
    struct cdp_fiber_queue ready; /* threads that can run */
    /* with CDP_SEED: threads that can run after all others had a turn */
    struct cdp_fiber_queue polling;
    /* threads that wait in __activemask until no other thread can run */
    struct cdp_fiber_queue converge;
    struct cdp_warp *warps;          /* owned; NULL unless the kernel may use warp operations */
    struct cdp_named_barrier *named; /* owned; named barriers used so far */
    /* owned; see block/divergent.h; NULL: no place is recorded */
    struct cdp_barrier_positions *places;
    /* owned; with the race check, while the threads run; else NULL */
    struct cdp_history_block *races;
    struct cdp_block_slab slab;
    struct cdp_block *next; /* link of the free or resumable list */
    struct cdp_block_suspension suspension;
    /* Threads at the barrier (like barrier.waiting), or past it and able to run (like ready).
     * Threads are released in the ring only after all threads have started.  Empty until
     * flags.uses_ring is set. */
    struct cdp_ring ring;
};

enum { CDP_POLL_PATIENCE = 256 };

static inline void cdp_polling_reset(struct cdp_polling *poll)
{
    *poll = (struct cdp_polling){.limit = CDP_POLL_PATIENCE, .patience = CDP_POLL_PATIENCE};
}

static inline struct cdp_block *cdp_block_of(const struct cdp_abi_thread *thread)
{
    return (struct cdp_block *)thread->block;
}

/* Whether a started thread can run. */
static inline bool cdp_block_has_ready(const struct cdp_block *block)
{
    return block->ready.head != NULL ||
           (block->flags.uses_ring && cdp_ring_has_ready(&block->ring));
}

/* Removes and returns the next started thread that can run, or NULL. */
static inline struct cdp_fiber *cdp_block_take_ready(struct cdp_block *block)
{
    bool in_ring = block->flags.uses_ring && cdp_ring_has_ready(&block->ring);
    return in_ring ? cdp_ring_take(&block->ring) : cdp_fiber_pop(&block->ready);
}

/* The index of a thread in its block, or of a block in its grid, by its linear number. */
static inline void cdp_index_of(const uint32_t dim[3], uint32_t linear, uint32_t out[3])
{
    out[0] = linear % dim[0];
    out[1] = linear / dim[0] % dim[1];
    out[2] = linear / dim[0] / dim[1];
}

/* The linear number of the thread that starts in position turn. */
static inline uint32_t cdp_block_thread_at(const struct cdp_block *block, uint32_t turn)
{
    if (block->order.stride == 0) {
        return turn;
    }
    uint64_t at = block->order.offset + (uint64_t)turn * block->order.stride;
    return (uint32_t)(at % block->view.thread_count);
}

#endif
