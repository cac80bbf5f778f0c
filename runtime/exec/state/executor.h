/* The state of one worker, in parts.  The folders above this one read and write it. */
#ifndef CDP_EXEC_STATE_EXECUTOR_H
#define CDP_EXEC_STATE_EXECUTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "exec/state/batch.h"
#include "exec/state/polls.h"
#include "exec/state/schedule.h"
#include "exec/state/scope_objects.h"
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

/* A trap that a signal handler caught; the loop handles it.  Owner only. */
struct cdp_trap {
    /* The loop calls this if the trap is not a fault of the device code.  NULL: it is a fault. */
    void (*landed)(struct cdp_executor *executor, const struct cdp_trap *trap);
    int signal, code;
    const void *address, *pc, *sp;
    bool writes;
    /* Whether the thread was about to return, or had returned, to an address without code.  In the
     * second case, pc is that address. */
    enum cdp_os_return returns;
    const void *caller;      /* where it called an address without code; else NULL */
    struct cdp_fiber *fiber; /* that trapped; NULL: no trap */
};

/* A source of launch records: free lists by size class, and memory for new records.
 * Owner: an executor or a submission queue. */
struct cdp_grid_source {
    struct cdp_grid *free[CDP_GRID_CLASSES]; /* by task.link */
    char *next, *end;                        /* memory for new records */
    /* const; the task function of the records; it runs a grid's blocks */
    void (*run)(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last);
    size_t
        trailer; /* const; bytes after each record's parameters, for its launch time and number */
    /* const; the limit for new memory; NULL for host threads: no limit */
    struct cdp_launch_memory *memory;
};

/* Records of complete launches by a host thread.  They are returned to its queue in batches. */
struct cdp_grid_return {
    struct cdp_submission_queue *queue;
    struct cdp_grid *first, *last; /* oldest first, by task.link; of one size class */
    uint32_t count;                /* 0: none */
};

/* A worker's observations of the host thread that runs the loop of executor 0 (loop/loop.c).  Owner
 * only. */
struct cdp_helper_watch {
    uint32_t idle_looks; /* consecutive searches for other workers' work that found none */
    uint32_t helped;     /* the pool's count when it was last read */
    bool is_patient; /* that thread runs its own launches: this worker waits before it takes them */
    bool waits;      /* there was work that the thread had not taken yet */
    uint64_t next;   /* time of the next search, in ticks, while is_patient */
};

/* Brief launches: the launching host thread runs them itself (loop/brief.c).  Only that thread
 * accesses it. */
struct cdp_brief {
    struct cdp_grid *grid; /* the current one; all its blocks run on this thread; NULL: none */
    uint64_t spent;        /* ticks that recent brief launches took */
    uint64_t last;         /* when the last one ended, in ticks */
};

/* The fibers of a worker, which run device threads and the loop.  Owner only. */
struct cdp_executor_fibers {
    struct cdp_fiber *idle;         /* by next; each is suspended in the loop, or has not begun */
    struct cdp_fiber *reserve;      /* used when no stack can be allocated; NULL: in use */
    void (*main)(void *fiber);      /* const; the fibers' function, the loop */
    struct cdp_stack_source stacks; /* stacks of new fibers */
    struct cdp_thread_stack thread_stack; /* stack of the OS thread in the loop */
};

/* The blocks of a worker, except the current one.  Owner only.  Invariant: suspended is the length
 * of the list from suspended_head. suspended <= resident. resident includes the current block. */
struct cdp_executor_blocks {
    struct cdp_block *resumable_head, *resumable_tail; /* can continue; by next */
    struct cdp_block *suspended_head;                  /* wait for children; by suspension.next */
    struct cdp_polls polls;                            /* can continue, and poll */
    struct cdp_block *free;                            /* unused; by next */
    struct cdp_block *inside; /* owned; const; the block of the child that runs inside its parent
                                 (block/inside.h); NULL: none ever does */
    uint32_t free_count;      /* blocks that were added to free since the last batch of spares */
    uint32_t resident;        /* blocks that have started and not ended */
    uint32_t suspended;       /* blocks in the list from suspended_head */
};

/* The launch records of a worker, and the records that it returns to others.  Its unused streams
 * and events.  Owner only. */
struct cdp_executor_records {
    struct cdp_grid_source source;   /* for launches by its blocks */
    struct cdp_grid_return returned; /* records of host threads, not yet returned to their queue */
    /* records that were added to source, modulo CDP_SPARE_KEPT; see block/completion.c */
    uint32_t given_back;
    struct cdp_scope_free objects;
};

/* Offers that did not fit because the deque had no memory to grow.  Owner only. */
struct cdp_overflow {
    struct cdp_offer offers[CDP_OVERFLOW];
    uint32_t count; /* <= CDP_OVERFLOW */
};

/* If executor 0 has no thread of its own: the host thread that runs its loop, and what this thread
 * waits for.  That thread writes it, before it enters the loop and inside it. */
struct cdp_executor_help {
    struct cdp_submission_queue *queue; /* queue of that thread; NULL: it has none */
    bool (*done)(void *arg);            /* the thread leaves the loop when done(arg) is true */
    void *arg;
    uint32_t seen_epoch; /* the engine's epoch when done was last called */
    bool begins;         /* the thread's own launch will be the first injected task */
    struct cdp_brief brief;
};

/* A host function that runs on the OS thread's own stack, and the fiber that waits for it.  Owner
 * only. */
struct cdp_host_call {
    struct cdp_engine_task *task;
    struct cdp_fiber *caller; /* NULL: no call */
};

/* Data of the signal handlers on the worker's thread. */
struct cdp_executor_signals {
    struct cdp_trap trap; /* fiber NULL: no trap */
    void *stack;          /* owned; the alternate stack; NULL: none */
};

/* Requests of the watchdog (report/watchdog.c).  The watchdog writes state and is_posted, and the
 * worker answers.  Also those by SIGUSR1 (report/progress.c). */
struct cdp_executor_watch {
    struct cdp_task show_task;
    _Atomic bool shows; /* show_task is in the mailbox */
    struct cdp_task task;
    _Atomic bool is_posted; /* task is in the mailbox */
    _Atomic uint32_t state; /* enum watch_state; futex */
    uint32_t steps;     /* single steps left for the signal handlers; only the worker accesses it */
    _Atomic int thread; /* id of the OS thread in the loop; 0: none; the worker writes */
};

/* One worker's state.
 * Life: allocated before the engine's workers start, freed after they have ended.  Owner: the OS
 * thread in its loop: the worker's own thread, or a host thread that waits.  Other threads access
 * only the shared part of worker (sched/worker.h) and _Atomic fields.  Reports also read it when no
 * device code runs.
 * Invariant (cdp_executor_is_valid): current is in no list of blocks; resident counts current and
 * all blocks that wait. */
struct cdp_executor {
    struct cdp_worker worker;            /* first: the pointers convert */
    struct cdp_engine *engine;           /* const; borrowed */
    const struct cdp_schedule *schedule; /* const; the engine's */
    bool plain;                          /* const; launches may be plain; see block/plain.h */
    bool alone; /* const; no other worker runs device code, and no seed sets the order */
    struct cdp_block *current; /* the block whose threads run; NULL: none */
    struct cdp_grid *direct;   /* the grid to run next; NULL: none */
    struct cdp_grid *owed; /* see block/plain.c: a grid of two blocks.  Its first block has ended on
                              this worker and is still counted; NULL: none */
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

/* cdp_abi_block.serial_children of a block whose NULL stream is idle. */
static inline uint32_t cdp_executor_serial_children(const struct cdp_executor *executor)
{
    return executor->blocks.inside == NULL ? CDP_SERIAL_NONE
           : executor->alone               ? CDP_SERIAL_ALL
                                           : CDP_SERIAL_BRIEF;
}

/* The executor whose loop runs on this OS thread; NULL on others. */
extern __thread struct cdp_executor *cdp_executor_here CDP_TLS_INITIAL_EXEC;

static inline void cdp_executor_cache(struct cdp_executor *executor, struct cdp_fiber *fiber)
{
    fiber->next = executor->fibers.idle;
    executor->fibers.idle = fiber;
}

/* Takes back an abandoned and reset fiber.  It becomes the reserve if there is none. */
static inline void cdp_executor_recycle(struct cdp_executor *executor, struct cdp_fiber *fiber)
{
    if (executor->fibers.reserve == NULL) {
        executor->fibers.reserve = fiber;
    } else {
        cdp_executor_cache(executor, fiber);
    }
}

#endif
