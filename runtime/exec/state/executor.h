/* One worker's state, in parts.  The folders above this one work on it. */
#ifndef CDP_EXEC_STATE_EXECUTOR_H
#define CDP_EXEC_STATE_EXECUTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "exec/state/batch.h"
#include "exec/state/polls.h"
#include "exec/state/schedule.h"
#include "exec/state/spare.h"
#include "exec/state/stats.h"
#include "fiber/fiber.h"
#include "mem/shared_slab.h"
#include "os/context.h"
#include "sched/worker.h"

struct cdp_block;
struct cdp_engine;
struct cdp_engine_task;
struct cdp_grid;
struct cdp_submission_queue;
struct cdp_launch_memory;

enum { CDP_OVERFLOW = 64 };

/* A trap that a signal handler caught, for the loop.  Owner only. */
struct cdp_trap {
    /* What the loop does about it, if the reason is no fault of the code.  NULL: it is a fault. */
    void (*landed)(struct cdp_executor *executor, const struct cdp_trap *trap);
    int signal, code;
    const void *address, *pc, *sp;
    bool writes;
    /* Whether the thread was about to return, or had returned, to an address where no code is.
     * In the second case pc is that address. */
    enum cdp_os_return returns;
    struct cdp_fiber *fiber; /* NULL: no trap */
};

/* A source of launch records: free lists by size class, and memory for new records.
 * Owner: an executor or a submission queue. */
struct cdp_grid_source {
    struct cdp_grid *free[CDP_GRID_CLASSES]; /* by task.link */
    char *next, *end;                        /* memory for new records */
    /* const; the task function of the records, which runs a grid's blocks */
    void (*run)(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last);
    size_t trailer; /* const; bytes behind each record's parameters, for its launch time */
    struct cdp_launch_memory *memory; /* const; limits the memory; NULL for host threads */
};

/* Complete launches of host threads: their records go back to one queue together. */
struct cdp_grid_return {
    struct cdp_submission_queue *queue;
    struct cdp_grid *first, *last; /* oldest first, by task.link; of one size class */
    uint32_t count;                /* 0: none */
};

/* What a worker knows of the host thread that lends itself to executor 0 (loop.c).  Owner only. */
struct cdp_helper_watch {
    uint32_t idle_looks; /* looks for others' work in a row that found none */
    uint32_t helped;     /* the pool's count, as last seen */
    bool is_patient;     /* that thread runs what it launches itself: leave it the time */
    bool waits;          /* there was work that it had not taken yet */
    uint64_t next;       /* when to look again, in ticks, while patient */
};

/* Brief launches, which the launching host thread runs itself (brief.c).  That thread's. */
struct cdp_brief {
    struct cdp_grid *grid; /* the current one, all of which runs here; NULL: none */
    uint64_t spent;        /* ticks that such launches took lately */
    uint64_t last;         /* when the last one ended, in ticks */
};

/* The fibers of a worker, which run device threads and the loop.  Owner only. */
struct cdp_executor_fibers {
    struct cdp_fiber *idle;               /* by next; each rests in the loop, or has not begun */
    struct cdp_fiber *reserve;            /* one kept for when no stack can be had; NULL: in use */
    void (*main)(void *fiber);            /* const; the loop that they run */
    struct cdp_stack_source stacks;       /* where new ones come from */
    struct cdp_thread_stack thread_stack; /* of the OS thread in the loop */
};

/* The blocks of a worker but for the current one.  Owner only.
 * Invariant: suspended counts the list from suspended_head; suspended <= resident, which counts
 * the current block too. */
struct cdp_executor_blocks {
    struct cdp_block *resumable_head, *resumable_tail; /* can go on; by next */
    struct cdp_block *suspended_head;                  /* wait for children; by suspension */
    struct cdp_polls polls;                            /* can go on, and poll */
    struct cdp_block *free;                            /* unused; by next */
    uint32_t free_count; /* of these, since the last batch of spares */
    uint32_t resident;   /* started and not ended */
    uint32_t suspended;  /* of these, waiting off the worker */
};

/* The launch records of a worker, and those that pass through its hands.  Owner only. */
struct cdp_executor_records {
    struct cdp_grid_source source;   /* for launches by its blocks */
    struct cdp_grid_return returned; /* of host threads, on their way home */
    uint32_t given_back;             /* that came here, modulo CDP_SPARE_KEPT; completion.c */
};

/* Offers that the deque had no memory for.  Owner only. */
struct cdp_overflow {
    struct cdp_offer offers[CDP_OVERFLOW];
    uint32_t count; /* <= CDP_OVERFLOW */
};

/* Executor 0 without a thread of its own: the host thread that lends itself, and what that waits
 * for.  Written by that thread, before it enters the loop and in it. */
struct cdp_executor_help {
    struct cdp_submission_queue *queue; /* of that thread; NULL: it has none */
    bool (*done)(void *arg);            /* it leaves once done(arg) */
    void *arg;
    uint32_t seen_epoch; /* the engine's, when done was last asked */
    bool begins;         /* what it has launched will be the first that is injected */
    struct cdp_brief brief;
};

/* A host function that runs on the OS thread's own stack, and who waits for it; owner only. */
struct cdp_host_call {
    struct cdp_engine_task *task;
    struct cdp_fiber *caller; /* NULL: no call */
};

/* What signal handlers on the worker's thread use. */
struct cdp_executor_signals {
    struct cdp_trap trap; /* fiber NULL: none */
    void *stack;          /* owned; NULL: none */
};

/* With a watchdog, which asks by them (report/watchdog.c): it writes state and is_posted, the
 * worker answers. */
struct cdp_executor_watch {
    struct cdp_task task;
    _Atomic bool is_posted; /* task is in the mailbox */
    _Atomic uint32_t state; /* enum watch_state; futex */
    uint32_t steps;         /* that signal handlers still follow the thread; the worker's own */
    _Atomic int thread;     /* number of the OS thread in the loop; 0: none; the worker writes */
};

/* One worker's state.
 * Life: made before the engine's workers start, freed when they have ended.
 * Owner: the OS thread in its loop, the worker's own or a host thread that lends itself.  Nobody
 * else touches it, but for the shared part of worker (sched/worker.h), what is _Atomic, and what
 * reports read when nothing runs.
 * Invariant (cdp_executor_is_valid): current is no other block of the lists; resident counts
 * current and all blocks that wait. */
struct cdp_executor {
    struct cdp_worker worker;            /* first: the pointers convert */
    struct cdp_engine *engine;           /* const; borrowed */
    const struct cdp_schedule *schedule; /* const; the engine's */
    bool plain;                /* const; plain launches may take the short way; block/plain.h */
    bool alone;                /* const; no other worker runs device code, and no seed says in which
                                  order this one does */
    struct cdp_block *current; /* whose threads run; NULL: none */
    struct cdp_grid *direct;   /* the grid to run next; NULL: none */
    struct cdp_grid *owed;     /* block/plain.c: of two blocks, the first of which has
                                  ended here and is still counted; NULL: none */
    struct cdp_batch_of_blocks batch;
    struct cdp_executor_fibers fibers;
    struct cdp_executor_blocks blocks;
    struct cdp_executor_records records;
    struct cdp_slab_cache slabs;
    struct cdp_overflow overflow;
    struct cdp_helper_watch helper_watch;
    struct cdp_executor_help help;
    struct cdp_host_call host_call;
    struct cdp_executor_signals signals;
    struct cdp_executor_watch watch;
    struct cdp_stats stats; /* with CDP_STATS=1 */
};

/* The executor whose loop runs on this OS thread; NULL on others. */
extern __thread struct cdp_executor *cdp_executor_here CDP_TLS_INITIAL_EXEC;

static inline void cdp_executor_cache(struct cdp_executor *executor, struct cdp_fiber *fiber)
{
    fiber->next = executor->fibers.idle;
    executor->fibers.idle = fiber;
}

/* An abandoned fiber, reset: becomes the reserve if that was used up. */
static inline void cdp_executor_recycle(struct cdp_executor *executor, struct cdp_fiber *fiber)
{
    if (executor->fibers.reserve == NULL) {
        executor->fibers.reserve = fiber;
    } else {
        cdp_executor_cache(executor, fiber);
    }
}

#endif
