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
struct cdp_lane;
struct cdp_replay;
struct cdp_watchdog;

/* The range that all private memory lies in. */
struct cdp_private_range {
    uintptr_t low, size;
};

/* Part of the engine, shared by all workers. */
struct cdp_launch_memory {
    uint64_t limit;            /* bytes; const after init */
    _Atomic uint64_t used;     /* workers add */
    _Atomic bool was_exceeded; /* the limit was met: for reports */
    struct cdp_spares spares;
    size_t (*free_blocks)(struct cdp_block *list); /* const; cdp_blocks_destroy */
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
    const struct cdp_operations *operations; /* const */
    const struct cdp_schedule *schedule;     /* const */
    struct cdp_replay *replay;     /* const; what the replayed schedule keeps; NULL: another */
    unsigned worker_count;         /* const; as asked for, and as programs see it */
    struct cdp_stack_range stacks; /* and behind them, in the same reservation: */
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

static inline bool cdp_engine_has_failed(const struct cdp_engine *engine)
{
    /* Relaxed: only stops new work; the fault itself is read under its lock. */
    return CDP_UNLIKELY(atomic_load_explicit(&engine->failed, memory_order_relaxed) != CDP_OK);
}

#endif
