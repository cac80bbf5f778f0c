/* A resident block: its threads, who of them waits for what, and its children.
 *
 * A block belongs to the executor that started it, from its first instruction to its
 * last; nobody else touches it, so nothing here is atomic. */
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
struct cdp_barrier_places;

enum { CDP_LANES = 32, CDP_WARPS = CDP_MOST_THREADS / CDP_LANES };

/* direct_from with CDP_SEED, when the loop chooses who is next (exec/loop/replay.h). */
#define CDP_NEVER_DIRECT UINT32_MAX

/* How long a block has polled without progress (block/poll.c). */
struct cdp_polling {
    uint32_t yields;   /* polls since the block last gave way to others */
    uint32_t limit;    /* of yields: then the threads that can run are counted */
    uint32_t patience; /* polls of each such thread before the block gives way */
    bool is_released;  /* its other threads have started though it polls; whether that helps is
                        * not known yet */
};

/* Which threads have started, and which may. */
struct cdp_block_threads {
    uint32_t next;        /* threads from here on have not started */
    uint32_t may_start;   /* and from here on are not to: all, or fewer if it holds */
    uint32_t direct_from; /* next from which on a thread that waits switches straight to
                             the next thread: then all have started */
    uint32_t alive;       /* that have not ended, started or not */
};

/* The block's own barrier, __syncthreads.
 * Invariant: arrived + the ring's threads that wait <= alive. */
struct cdp_block_barrier {
    uint32_t arrived;                  /* without those in the ring */
    uint32_t arrive_only;              /* of these, threads that do not wait */
    uint32_t turn;                     /* 1 until it opens, never 0 */
    uint32_t votes;                    /* nonzero predicates so far */
    uint32_t released, released_votes; /* of the last turn that opened */
    struct cdp_fiber_queue waiting;    /* but for those in the ring */
};

/* What the block launched.
 * Invariant: count == 0 implies that waiting is empty. */
struct cdp_block_children {
    uint32_t count;                 /* grids launched and not yet told complete */
    struct cdp_grid *null_tail;     /* last of the NULL stream; NULL = idle */
    struct cdp_grid *buffers;       /* parameter buffers not launched; by task.link */
    struct cdp_fiber_queue waiting; /* threads that wait for their epochs, oldest first */
    struct cdp_epochs epochs;       /* made once, reused with the block */
};

/* The order in which threads start. */
struct cdp_block_order {
    uint32_t stride;      /* 0: natural; else thread number i is (offset + i * stride) mod count */
    uint32_t offset;      /* with a stride */
    uint32_t next_idx[3]; /* threadIdx of threads.next, in natural order; unused by a row */
};

/* Eight bytes, which the start of a block clears at once. */
struct cdp_block_flags {
    bool threads_done; /* only children are left to wait for */
    bool polls;        /* has given way because it only polled */
    bool holds;        /* starts no more threads while those that have poll */
    bool leads;        /* those behind it are the next of the executor's batch */
    bool asserted;     /* a thread failed an assertion */
    bool uses_ring;    /* some thread has waited there */
    bool is_suspended; /* waits off its worker */
    bool is_whole;     /* runs by a block entry: see cdp_abi_thread.at_work */
};

/* A block that waits off its worker, is_suspended: its place in the executor's list of such. */
struct cdp_block_suspension {
    struct cdp_block *next, *before;
};

/* A resident block.
 * Life: from cdp_block_start until its threads have ended and children.count == 0; then on
 * its executor's free list, until that is destroyed.
 * Owner: the executor that started it; no lock, and nothing here is atomic.
 * Invariant (cdp_block_is_valid): every started, unended thread's fiber runs, is in exactly one
 * queue or the ring here, or waits in a warp or at a named barrier.
 * Invariant: on the free list its queues are empty, and null_tail, buffers, warps, named and
 * places are NULL. */
struct cdp_block {
    struct cdp_abi_block view; /* what device code sees; first, so the pointers convert */
    struct cdp_grid *grid;
    struct cdp_executor *executor; /* const until it is a spare one */
    /* What the start of a block writes is in order of alignment: no store crosses a line. */
    struct cdp_block_threads threads;
    struct cdp_polling poll;
    struct cdp_block_barrier barrier;
    struct cdp_block_flags flags;
    struct cdp_block_children children;
    struct cdp_block_order order;
    struct cdp_fiber_queue ready;      /* can run */
    struct cdp_fiber_queue polling;    /* with CDP_SEED: can run, once the others had a turn */
    struct cdp_fiber_queue converge;   /* wait in __activemask until nothing else can run */
    struct cdp_warp *warps;            /* owned; NULL unless the kernel may use warp operations */
    struct cdp_named_barrier *named;   /* owned; named barriers used so far */
    struct cdp_barrier_places *places; /* owned; block/divergent.h; NULL: none told */
    size_t slab_size;                  /* 0: no shared memory */
    struct cdp_block *next;            /* free or resumable list */
    struct cdp_block_suspension suspension;
    /* At the barrier, or past it and able to run, like barrier.waiting and ready; the latter only
     * once all threads have started.  Empty before uses_ring. */
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

/* Whether a started thread can run; and the next such, or NULL. */
static inline bool cdp_block_has_ready(const struct cdp_block *block)
{
    return block->ready.head != NULL ||
           (block->flags.uses_ring && cdp_ring_has_ready(&block->ring));
}

static inline struct cdp_fiber *cdp_block_take_ready(struct cdp_block *block)
{
    bool in_ring = block->flags.uses_ring && cdp_ring_has_ready(&block->ring);
    return in_ring ? cdp_ring_take(&block->ring) : cdp_fiber_pop(&block->ready);
}

/* The linear number of the thread whose turn to start is turn-th. */
static inline uint32_t cdp_block_thread_at(const struct cdp_block *block, uint32_t turn)
{
    if (block->order.stride == 0) {
        return turn;
    }
    uint64_t at = block->order.offset + (uint64_t)turn * block->order.stride;
    return (uint32_t)(at % block->view.thread_count);
}

#endif
