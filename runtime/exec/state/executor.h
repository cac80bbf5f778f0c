/* The engine's insides: one executor per worker, and what they share. */
#ifndef CDP_EXEC_STATE_EXECUTOR_H
#define CDP_EXEC_STATE_EXECUTOR_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/handle.h"
#include "base/lock.h"
#include "exec/state/block.h"
#include "exec/state/clock.h"
#include "exec/loop/engine.h"
#include "exec/state/grid.h"
#include "exec/launch/launch_memory.h"
#include "exec/launch/pace.h"
#include "exec/block/poll.h"
#include "exec/report/print.h"
#include "exec/report/stats.h"
#include "exec/report/space.h"
#include "fiber/fiber.h"
#include "mem/shared_slab.h"
#include "sched/worker.h"

struct cdp_lane;
struct cdp_replay;

enum { CDP_OVERFLOW = 64 };

/* A trap that a signal handler caught, told to the loop.  Owner only. */
enum { CDP_TRAP_WATCHDOG }; /* instead of a signal: exec/report/watchdog.h stopped it */
struct cdp_trap {
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
    size_t trailer; /* bytes behind each record's parameters, for its launch time; const */
    struct cdp_launch_memory *memory; /* what they are taken from; const; NULL: of host threads */
};

/* Records of host threads that are to go home to their lane together. */
struct cdp_grid_return {
    struct cdp_lane *lane;
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
    uint32_t helped; /* the pool's, when last looked */
    bool is_patient; /* that thread runs what it launches: it is given the time for it */
    bool waits;      /* there was something that it has not taken yet */
    uint64_t next;   /* look, in ticks, while patient */
};

/* A host thread that runs what it launches (brief.c). */
struct cdp_brief {
    struct cdp_grid *grid; /* the one at hand, all of which runs here; NULL: none */
    uint64_t spent, last;  /* in ticks: by such launches lately; when the last one ended */
};

/* One worker's state.  Owner only, but for worker's shared part. */
struct cdp_executor {
    struct cdp_worker worker; /* first: the pointers convert */
    struct cdp_engine *engine;
    struct cdp_block *current;
    struct cdp_fiber *cache;   /* idle fibers, by next */
    struct cdp_fiber *reserve; /* one fiber kept for when no stack can be had */
    struct cdp_grid *direct;   /* the grid to run next */
    struct cdp_replay *replay; /* the engine's; const */
    bool plain; /* plain launches may take the short way; const; exec/block/plain.h */
    bool alone; /* no other worker runs device code, and no seed says in which
                   order this one does; const */
    struct cdp_block *resumable_head, *resumable_tail;
    struct cdp_polls polls; /* likewise, that poll */
    uint32_t idle_looks;    /* at others' work, in a row, that found none */
    struct cdp_helper_watch helper_watch;
    struct cdp_block *suspended_head; /* by suspended_next */
    struct cdp_block *free_blocks;
    uint32_t free_block_count;
    uint32_t given_back; /* launch records that came here, modulo CDP_SPARE_KEPT; see grid.c */
    struct cdp_grid_source grids;
    struct cdp_stack_source stacks;
    struct cdp_slab_cache slabs;
    struct cdp_lane *lane; /* of the host thread that lends itself; NULL: none */
    struct cdp_grid_return returned;
    struct cdp_batch_of_blocks batch;
    struct cdp_grid *owed; /* exec/block/plain.c: of two blocks, the first of which has
                              ended here and is still counted; NULL: none */
    uint32_t resident;     /* blocks started and not ended */
    uint32_t suspended;    /* of these, waiting off the worker */
    struct cdp_offer overflow[CDP_OVERFLOW]; /* offers the deque had no memory for */
    uint32_t overflow_count;
    struct cdp_trap trap;
    struct cdp_thread_stack thread_stack; /* of the OS thread in the loop */
    void *signal_stack;
    struct cdp_stats stats; /* with CDP_STATS=1 */
    /* A host function that runs on the OS thread's own stack, and who waits for it. */
    struct cdp_engine_task *call;
    struct cdp_fiber *caller;
    /* A helping host thread's wait: leave once done(arg). */
    bool (*done)(void *arg);
    void *arg;
    bool begins; /* to help: what it has launched will be the first that is injected */
    struct cdp_brief brief;
    uint32_t seen_epoch; /* of the engine, when done was last asked */
    /* With a watchdog, which asks by them. */
    struct cdp_task watch_task;
    _Atomic bool watch_posted; /* watch_task is in the mailbox */
    _Atomic uint32_t watch;    /* enum watch_state; futex */
    uint32_t watch_steps;      /* that its signal handlers still follow the thread */
    _Atomic int watch_thread;  /* number of the OS thread in the loop; 0: none */
};

struct cdp_watchdog;

struct cdp_engine {
    struct cdp_pool pool;
    const struct cdp_options *options; /* const */
    bool by_thread;                    /* no block entries, const; but for kernels without others */
    bool counts_launches;              /* const; CDP_LAUNCH_POOL=fixed or CDP_STATS=1 */
    bool plain;                        /* const; see exec/block/plain.h */
    bool takes_signals_back;           /* const; see os/signals.h */
    bool acts_at_calls;                /* const; that, or a schedule: at each call of the host */
    struct cdp_executor **executors;   /* const; pool.workers points at the same objects */
    unsigned executor_count;           /* const; the pool may have fewer, for want of threads */
    bool is_threadless;                /* const; device code runs on host threads that wait */
    struct cdp_replay *replay;         /* const; the schedule of CDP_SEED, which one worker
                                          follows; NULL: none */
    unsigned worker_count;             /* const; as asked for, and as programs see it */
    struct cdp_stack_range stacks;     /* and behind them, in the same reservation: */
    struct cdp_slab_range slabs;
    struct cdp_private_range private_range; /* both; const */
    struct cdp_engine_limits limits;        /* the host sets */
    size_t shared_segments_end;             /* likewise */
    struct cdp_launch_memory launch_memory;
    struct cdp_clock clock;
    struct cdp_pace paces[CDP_PACES]; /* whoever begins and completes the host's grids */
    const char *(*error_name)(enum cdp_status status);
    const char *(*device_error_name)(int error);
    /* Host side. */
    struct cdp_lock host_lock;
    _Atomic(struct cdp_lane *) lanes; /* all there ever were; owned; changed under host_lock */
    pthread_key_t lane_key;           /* const */
    uint32_t number;                  /* of this engine: const, never 0 */
    _Atomic uint32_t pending;         /* for cdp_chains_pending: those that no lane has counted,
                                         less those that it has, but that others ended */
    _Atomic uint32_t pool_used;       /* device launches not complete, if they are counted */
    _Atomic uint32_t epoch;           /* grows with each cdp_engine_notify; futex */
    _Atomic uint32_t host_waiters;    /* host threads asleep on epoch, or about to be */
    _Atomic bool helper_bound;        /* executor 0 has its host thread */
    uint32_t helper_bond;             /* its number, see engine.c; const once bound */
    struct cdp_lock handle_lock;
    struct cdp_handle_table device_handles CDP_GUARDED_BY(&handle_lock);
    /* Faults. */
    _Atomic uint32_t failed;  /* enum cdp_status of the sticky fault */
    _Atomic bool lost_launch; /* a thread's launch failed, and it never read the error */
    struct cdp_lock fault_lock;
    struct cdp_fault fault CDP_GUARDED_BY(&fault_lock);
    struct cdp_output output;
    struct cdp_watchdog *watchdog; /* NULL without CDP_TIMEOUT; const while workers run */
};

/* The executor whose loop runs on this OS thread; NULL on others. */
extern __thread struct cdp_executor *cdp_executor_here CDP_TLS_INITIAL_EXEC;

/* The loop that every fiber runs, and the pool's entry into it. */
void cdp_executor_main(struct cdp_worker *worker);
/* Lends the calling host thread to executor 0 until done(arg). */
void cdp_executor_help(struct cdp_executor *executor, bool (*done)(void *arg), void *arg);

/* The same for this grid alone, which only this executor knows of; wakes nobody. */
void cdp_executor_run_now(struct cdp_executor *executor, struct cdp_grid *grid);
/* Whether the calling host thread is the one that lends itself to executor 0. */
bool cdp_engine_is_helper(const struct cdp_engine *engine);

/* From the loop: runs the task on the OS thread's own stack, which is as large as the
 * host's code expects. */
void cdp_executor_call(struct cdp_executor *executor, struct cdp_engine_task *task);

/* An idle fiber; the reserve when no stack can be had (then the engine has failed);
 * never NULL. */
struct cdp_fiber *cdp_executor_idle_fiber(struct cdp_executor *executor);

/* What goes on when a thread of the executor's current block suspends: the block's next
 * fiber, or the loop. */
static inline struct cdp_fiber *cdp_executor_next_fiber(struct cdp_executor *executor,
                                                        struct cdp_block *block)
{
    if (CDP_LIKELY(cdp_block_has_ready(block) && block->next_thread >= block->direct_from)) {
        return cdp_block_take_ready(block);
    }
    return cdp_executor_idle_fiber(executor);
}

/* Suspends the running fiber, which the caller has put where it will be found, and
 * goes on with the next. */
static inline void cdp_executor_suspend(struct cdp_executor *executor, struct cdp_fiber *self)
{
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fiber_switch(self, cdp_executor_next_fiber(executor, block));
}

static inline void cdp_executor_cache(struct cdp_executor *executor, struct cdp_fiber *fiber)
{
    fiber->next = executor->cache;
    executor->cache = fiber;
}

/* An abandoned fiber, reset: becomes the reserve if that was used up. */
static inline void cdp_executor_recycle(struct cdp_executor *executor, struct cdp_fiber *fiber)
{
    if (executor->reserve == NULL) {
        executor->reserve = fiber;
    } else {
        cdp_executor_cache(executor, fiber);
    }
}

/* The current block waits for children. */
void cdp_executor_put_aside(struct cdp_executor *executor, struct cdp_block *block);
/* The block can go on: puts it among the resumable ones. */
void cdp_executor_resume(struct cdp_executor *executor, struct cdp_block *block);
/* News from other workers. */
void cdp_executor_take_mail(struct cdp_executor *executor);

bool cdp_executor_init(struct cdp_executor *executor, struct cdp_engine *engine) CDP_MUST_CHECK;
void cdp_executor_finish(struct cdp_executor *executor);

static inline bool cdp_engine_has_failed(const struct cdp_engine *engine)
{
    /* Relaxed: only stops new work; the fault itself is read under its lock. */
    return CDP_UNLIKELY(atomic_load_explicit(&engine->failed, memory_order_relaxed) != CDP_OK);
}

/* ---- Launch records ---- */

/* CDP_GRID_CLASSES: too many bytes. */
unsigned cdp_grid_class_of(size_t param_size);

/* An unused record for so many bytes of parameters; only its size class is right.  NULL
 * when out of memory or param_size is over 32,768. */
struct cdp_grid *cdp_grid_source_find(struct cdp_grid_source *source, size_t param_size);

/* The same; mostly without a call. */
static inline struct cdp_grid *cdp_grid_source_pick(struct cdp_grid_source *source,
                                                    size_t param_size)
{
    struct cdp_grid *grid = source->free[0];
    if (CDP_LIKELY(grid != NULL && param_size <= CDP_GRID_SMALLEST_PARAMS)) {
        source->free[0] = cdp_grid_of_task(grid->task.link);
        return grid;
    }
    return cdp_grid_source_find(source, param_size);
}

/* Makes it zero but for its size class and task.run. */
static inline void cdp_grid_renew(struct cdp_grid *grid)
{
    uint8_t size_class = grid->size_class;
    memset(grid, 0, sizeof *grid);
    grid->size_class = size_class;
    grid->task.run = cdp_grid_run;
}

/* The same, renewed. */
static inline struct cdp_grid *cdp_grid_source_take(struct cdp_grid_source *source,
                                                    size_t param_size)
{
    struct cdp_grid *grid = cdp_grid_source_pick(source, param_size);
    if (CDP_LIKELY(grid != NULL)) {
        cdp_grid_renew(grid);
    }
    return grid;
}

static inline void cdp_grid_source_give(struct cdp_grid_source *source, struct cdp_grid *grid)
{
    struct cdp_grid **list = &source->free[grid->size_class];
    grid->task.link = *list != NULL ? &(*list)->task : NULL;
    *list = grid;
}

/* Gives records that this worker has too many of to the others.  Called now and then: walks its
 * lists. */
void cdp_grids_spare(struct cdp_executor *executor);

/* A fresh record of this executor's. */
static inline struct cdp_grid *cdp_grid_take(struct cdp_executor *home, size_t param_size)
{
    struct cdp_grid *grid = cdp_grid_source_take(&home->grids, param_size);
    if (CDP_LIKELY(grid != NULL)) {
        grid->home = home;
    }
    return grid;
}

/* The record is this executor's from here on. */
static inline void cdp_grid_give(struct cdp_executor *executor, struct cdp_grid *grid)
{
    cdp_grid_source_give(&executor->grids, grid);
}

/* ---- A block's NULL stream ----
 *
 * The owner of the block appends to the last grid, whoever runs that one passes on.  Both
 * exchange its next, so that whoever comes second sees the other's, and what came before
 * it, and starts the successor.  On a lone worker nobody can come in between, nor where the
 * owner runs that one itself, nor while it has taken back the stream's first, which it kept. */

/* Puts grid behind last if the first of their stream is still kept here: nobody has begun it,
 * and what follows can be reached through it alone. */
static inline bool cdp_grid_follow_kept(struct cdp_executor *executor, struct cdp_grid *last,
                                        struct cdp_grid *grid)
{
    struct cdp_deque *deque = &executor->worker.deque;
    /* A record whose task a raider has taken comes home by mail: it still is this grid's. */
    struct cdp_task *kept = atomic_load_explicit(&deque->kept.task, memory_order_relaxed);
    const struct cdp_grid *first = kept != NULL ? cdp_grid_of_task(kept) : NULL;
    if (first == NULL || first->order != CDP_ORDER_BLOCK || first->parent != last->parent ||
        cdp_deque_take_kept(deque) == NULL) {
        return false;
    }
    atomic_store_explicit(&last->next, grid, memory_order_relaxed); /* put_kept releases */
    cdp_deque_put_kept(deque, kept);
    return true;
}

/* False: last is complete already, so grid can start. */
static inline bool cdp_grid_follow(struct cdp_executor *executor, struct cdp_grid *last,
                                   struct cdp_grid *grid)
{
    if (executor->alone) {
        bool done = atomic_load_explicit(&last->next, memory_order_relaxed) == CDP_GRID_DONE;
        if (!done) {
            atomic_store_explicit(&last->next, grid, memory_order_relaxed);
        }
        return !done;
    }
    if (cdp_grid_follow_kept(executor, last, grid)) {
        return true;
    }
    /* A stream's grids run one by one: they are better left here while more are launched. */
    cdp_deque_show_life(&executor->worker.deque);
    return atomic_exchange_explicit(&last->next, grid, memory_order_acq_rel) != CDP_GRID_DONE;
}

/* The grid is complete: its successor, which now can start, or NULL if it has none yet. */
static inline struct cdp_grid *cdp_grid_next(const struct cdp_executor *executor,
                                             struct cdp_grid *grid)
{
    /* A successor that is seen stays: the owner came first.  Acquire pairs with its
     * exchange. */
    struct cdp_grid *next = atomic_load_explicit(&grid->next, memory_order_acquire);
    if (next != NULL) {
        return next;
    }
    if (grid->home == executor) { /* or alone */
        atomic_store_explicit(&grid->next, CDP_GRID_DONE, memory_order_relaxed);
        return NULL;
    }
    return atomic_exchange_explicit(&grid->next, CDP_GRID_DONE, memory_order_acq_rel);
}

/* Starts a grid that is ready to run: next on this worker if nothing else is, else
 * offered to all. */
static inline void cdp_grid_start(struct cdp_executor *executor, struct cdp_grid *grid)
{
    if (executor->direct == NULL) {
        executor->direct = grid;
    } else {
        cdp_grid_push(executor, grid);
    }
}

/* Not worth a batch, and few enough to be kept (sched/deque.h). */
enum { CDP_FEW_BLOCKS = 4 };

/* Offers a grid to all. */
static inline void cdp_grid_offer(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_offer whole = {.task = &grid->task, .last = grid->block_count};
    if (executor->alone) {
        cdp_grid_start(executor, grid); /* there is nobody else */
    } else if (!executor->worker.pool->keeps || executor->batch.left.task != NULL ||
               grid->block_count > CDP_FEW_BLOCKS || !cdp_worker_keep(&executor->worker, whole)) {
        cdp_grid_push(executor, grid);
    }
}

#endif
