/* What an engine's workers and the host share. */
#ifndef CDP_EXEC_STATE_ENGINE_H
#define CDP_EXEC_STATE_ENGINE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/handle.h"
#include "base/lock.h"
#include "base/options.h"
#include "base/status.h"
#include "exec/state/clock.h"
#include "exec/state/limits.h"
#include "exec/state/operations.h"
#include "exec/state/schedule.h"
#include "exec/state/spare.h"
#include "fiber/stack.h"
#include "mem/shared_slab.h"
#include "sched/worker.h"

struct cdp_abi_kernel;
struct cdp_executor;
struct cdp_submission_queue;
struct cdp_replay;
struct cdp_watchdog;

/* The range that all private memory lies in. */
struct cdp_private_range {
    uintptr_t low, size;
};

/* Part of the engine, shared by all workers. */
struct cdp_launch_memory {
    uint64_t limit;            /* bytes; const */
    _Atomic uint64_t used;     /* workers add */
    _Atomic bool was_exceeded; /* the limit was met: for reports */
    _Atomic uint32_t pending;  /* device launches not complete, if modes.counts_launches */
    struct cdp_spares spares;
    const struct cdp_operations *operations; /* const; the engine's */
};

enum cdp_pace_way { CDP_PACE_SHARED, CDP_PACE_ALONE };

/* What is known of one kernel and number of blocks.  The workers that begin and complete its
 * grids read and write without order: it only guides, and whatever comes of a race is a guess
 * that the next grids correct. */
struct cdp_pace {
    alignas(CDP_CACHE_LINE) _Atomic(const struct cdp_abi_kernel *) kernel; /* NULL: nothing yet */
    _Atomic uint32_t blocks;
    _Atomic uint32_t way;      /* enum cdp_pace_way: of grids that begin now */
    _Atomic uint32_t better;   /* likewise: as far as known; a trial if way is the other */
    _Atomic uint32_t took[2];  /* by way, in ticks: the least of some lately; 0: not known */
    _Atomic uint32_t least;    /* of those in this way, so far */
    _Atomic uint32_t timed;    /* which are so many */
    _Atomic uint32_t rounds;   /* since the last trial */
    _Atomic uint32_t to_trial; /* so many rounds lie between two */
};

/* A power of two. */
enum { CDP_PACES = 64 };

/* A ring of nothing fancy: records of {size_t length, text}, oldest at start. */
struct cdp_output {
    struct cdp_lock lock;
    char *buffer CDP_GUARDED_BY(&lock); /* owned */
    size_t start CDP_GUARDED_BY(&lock), end CDP_GUARDED_BY(&lock);
    size_t capacity CDP_GUARDED_BY(&lock);
    size_t limit;          /* bytes kept; 0: no limit.  Set while nothing runs */
    _Atomic bool has_text; /* set under the lock; what a complete launch printed is seen */
};

/* What was decided when the engine started.  Const, but for the last: workers never read that. */
struct cdp_engine_modes {
    bool by_thread;          /* no block entries, but for kernels without others */
    bool counts_launches;    /* CDP_LAUNCH_POOL=fixed or CDP_STATS=1 */
    bool plain;              /* launches may be plain: block/plain.h */
    bool takes_signals_back; /* see os/signals.h */
    bool acts_at_calls;      /* that, or a schedule: at each call of the host */
    bool takes_turns;   /* the schedule's: host and worker; schedule->host has all operations */
    bool is_threadless; /* device code runs on host threads that wait; set after the pool has tried
                           to start threads, and not changed after cdp_engine_start */
};

/* Where the memory of blocks and threads lies: one reservation. */
struct cdp_engine_reservation {
    struct cdp_stack_range stacks;      /* workers take from it; and behind it: */
    struct cdp_slab_range slabs;        /* likewise */
    struct cdp_private_range own;       /* both: what is somebody's own; const */
    _Atomic size_t shared_segments_end; /* see cdp_engine_set_shared_segments; read through
                                           cdp_engine_shared_segments */
};

/* How reports name errors.  Set by the host before its first launch; NULL: they have no name. */
struct cdp_engine_names {
    const char *(*status)(enum cdp_status status);
    const char *(*device_error)(int error);
};

/* What host threads and workers count and wait for. */
struct cdp_engine_host {
    struct cdp_lock lock;
    _Atomic(struct cdp_submission_queue *)
        queues;                   /* all there ever were; owned; changed under lock */
    pthread_key_t key;            /* const; of a thread's queue */
    uint32_t number;              /* const; of this engine, never 0 */
    _Atomic uint32_t pending;     /* for cdp_chains_pending: those that no queue has counted,
                                     less those that it has, but that others ended */
    _Atomic uint32_t epoch;       /* grows with each cdp_engine_notify; futex */
    _Atomic uint32_t waiters;     /* host threads asleep on epoch, or about to be */
    _Atomic bool helper_is_bound; /* executor 0 has its host thread; set under lock */
    uint32_t helper_bond;         /* its number, see loop/wait.c; const once bound */
};

/* Handles of streams and events of device code. */
struct cdp_engine_handles {
    struct cdp_lock lock;
    struct cdp_handle_table table CDP_GUARDED_BY(&lock);
};

/* The sticky fault. */
struct cdp_engine_faults {
    _Atomic uint32_t status;  /* enum cdp_status of it; written under lock, read by all workers */
    _Atomic bool lost_launch; /* a thread's launch failed, and it never read the error */
    struct cdp_lock lock;
    struct cdp_fault first CDP_GUARDED_BY(&lock);
};

/* A pool of workers that run grids, and what they share with the host.
 * Life: from cdp_engine_start to cdp_engine_stop; the caller of start owns it.
 * Each part says which lock or thread guards it.  Const means: set before the first worker starts,
 * and not changed until the last has ended. */
struct cdp_engine {
    struct cdp_pool pool;              /* of sched/ */
    const struct cdp_options *options; /* const; borrowed until stop */
    struct cdp_engine_modes modes;     /* const */
    struct cdp_executor **executors;   /* const; pool.workers points at the same objects */
    unsigned executor_count;           /* const; the pool may have fewer, for want of threads */
    unsigned worker_count;             /* as programs see it: as asked for, or fewer for want of
                                          threads; not changed after cdp_engine_start */
    const struct cdp_operations *operations; /* const */
    const struct cdp_schedule *schedule;     /* const */
    struct cdp_replay *replay; /* const; owned; the replayed schedule's, NULL with another */
    struct cdp_engine_reservation ranges;
    struct cdp_engine_limits limits; /* the host sets, any worker reads */
    struct cdp_launch_memory launch_memory;
    struct cdp_clock clock;
    struct cdp_pace paces[CDP_PACES]; /* whoever begins and completes the host's grids */
    struct cdp_engine_names names;
    struct cdp_engine_host host;
    struct cdp_engine_handles handles;
    struct cdp_engine_faults faults;
    struct cdp_output output;
    struct cdp_watchdog *watchdog; /* const; owned; NULL without CDP_TIMEOUT */
};

/* The end of the exported shared segments, which every block's shared memory must reach; 0: there
 * are none.  A library that is loaded while grids run may add some. */
static inline size_t cdp_engine_shared_segments(const struct cdp_engine *engine)
{
    /* Relaxed: a kernel of the library is found only after the value was set, and the look-up
     * acquires it (api/register.c). The launch hands it on to the workers.  For other kernels the
     * old value is as good. */
    return atomic_load_explicit(&engine->ranges.shared_segments_end, memory_order_relaxed);
}

static inline bool cdp_engine_has_failed(const struct cdp_engine *engine)
{
    /* Relaxed: only stops new work; the fault itself is read under its lock. */
    return CDP_UNLIKELY(atomic_load_explicit(&engine->faults.status, memory_order_relaxed) !=
                        CDP_OK);
}

#endif
