/* One worker's state, in parts.  The rooms above work on it; here is what it is made of. */
#ifndef CDP_EXEC_STATE_EXECUTOR_H
#define CDP_EXEC_STATE_EXECUTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "exec/state/schedule.h"
#include "exec/state/spare.h"
#include "fiber/fiber.h"
#include "mem/shared_slab.h"
#include "os/context.h"
#include "sched/worker.h"

struct cdp_abi_kernel;
struct cdp_block;
struct cdp_engine;
struct cdp_engine_task;
struct cdp_grid;
struct cdp_submission_queue;
struct cdp_launch_memory;

enum { CDP_OVERFLOW = 64 };

/* A trap that a signal handler caught, told to the loop.  Owner only. */
struct cdp_trap {
    /* What the loop does about it, if no fault of the code is why; NULL: a fault is. */
    void (*landed)(struct cdp_executor *executor, const struct cdp_trap *trap);
    int signal, code;
    const void *address, *pc, *sp;
    bool writes;
    enum cdp_os_return returns; /* the thread was about to return to an address where no code is,
                                   or had done so: then pc is that */
    struct cdp_fiber *fiber;    /* NULL: none */
};

/* A source of launch records: free lists by size, and uncut memory. */
struct cdp_grid_source {
    struct cdp_grid *free[CDP_GRID_CLASSES];
    char *next, *end;
    /* Their task function, which runs a grid's blocks; const. */
    void (*run)(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last);
    size_t trailer; /* bytes behind each record's parameters, for its launch time; const */
    struct cdp_launch_memory *memory; /* what they are taken from; const; NULL: of host threads */
};

/* Records of host threads that are to go home to their queue together. */
struct cdp_grid_return {
    struct cdp_submission_queue *queue;
    struct cdp_grid *first, *last; /* oldest first, by task.link; of one size class */
    uint32_t count;                /* 0: none */
};

/* Blocks of one grid that this worker runs one after the other, without offering each; what
 * others could help with lies in the deque.  It takes some ten microseconds, as counting its
 * blocks off and taking the next from the deque are slow where workers share them, and is run
 * in parts of a few, between which the worker looks whether the others have enough.  How
 * long a block takes is learned from the blocks before.  Of a grid that one worker had better run
 * alone (exec/launch/pace.h) all blocks are such a batch. */
struct cdp_batch_of_blocks {
    struct cdp_offer left;               /* not started; task NULL: none */
    const struct cdp_task *task;         /* of the batch begun last */
    const struct cdp_abi_kernel *kernel; /* likewise */
    uint64_t started;                    /* then, in ticks */
    uint64_t patience;                   /* so long nothing of it is shared, in ticks */
    uint32_t size, ran;                  /* its blocks; those of them that have started */
    /* Parts, which block entries run. */
    uint64_t looked;             /* when the one at hand began */
    uint32_t part, most_at_once; /* how many blocks parts should have by now, and may have */
    uint32_t in_part;            /* that it has: a row of the grid may end before */
    uint64_t took;               /* ticks that the one before took, without what others delay, */
    uint32_t took_blocks;        /* for so many blocks; 0: nothing is known of this kernel */
    struct cdp_grid *ended_grid; /* of which */
    uint32_t ended;              /* blocks ended that blocks_left still counts; some block of
                                    that grid that started here, or is left, has not ended */
};

/* What a worker has seen of the host thread that lends itself (loop.c). */
struct cdp_helper_watch {
    uint32_t idle_looks; /* at others' work, in a row, that found none */
    uint32_t helped;     /* the pool's, when last looked */
    bool is_patient;     /* that thread runs what it launches: it is given the time for it */
    bool waits;          /* there was something that it has not taken yet */
    uint64_t next;       /* look, in ticks, while patient */
};

/* A host thread that runs what it launches (brief.c). */
struct cdp_brief {
    struct cdp_grid *grid; /* the one at hand, all of which runs here; NULL: none */
    uint64_t spent, last;  /* in ticks: by such launches lately; when the last one ended */
};

/* A worker's blocks that have given way.  Owner only.
 * A turn goes through all of `now`, from its head; those that poll on come to the head of `later`,
 * which is `now` for the next turn: so turns go up and down, and a chain of blocks, each of which
 * waits for its neighbour, is done in two of them. */
struct cdp_polls {
    struct cdp_block *now, *later;       /* by next */
    const struct cdp_abi_kernel *kernel; /* whose blocks poll for other blocks: one did so with all
                                          * of its threads started; NULL: none seen */
    uint32_t holding;                    /* blocks that start no more threads while they poll */
    uint32_t visits;          /* of blocks that poll, since one of those that hold was released */
    uint32_t waits;           /* visits before anything else is begun */
    uint32_t visits_in_a_row; /* before others may have the processor; const */
    uint64_t began;           /* when that was last done, in ticks */
    bool is_joined;           /* what was begun then polls, too */
    bool is_turn;             /* of a block that polls, rather than of something else */
};

static inline bool cdp_polls_any(const struct cdp_polls *polls)
{
    return polls->now != NULL || polls->later != NULL;
}

/* One executor's counts.  Only the owner writes, with relaxed loads and stores; the
 * summary reads them at any time. */
struct cdp_stats {
    _Atomic uint64_t launches; /* by device code, accepted */
    _Atomic uint64_t started;  /* of these, by anyone: first blocks started here */
    _Atomic uint64_t waited;   /* ns from launch to first block, of the started */
    _Atomic uint64_t longest;  /* the most of these */
    _Atomic uint32_t deepest;  /* nesting level of a launched grid; the host's is 0 */
    _Atomic uint32_t pending;  /* the most launches that were not complete at once */
    _Atomic uint64_t whole;    /* blocks that a block entry ran */
    _Atomic uint64_t refused;  /* blocks of a shape that was none for the kernel's */
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
    struct cdp_block *suspended_head;                  /* wait for children; by suspended_next */
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
