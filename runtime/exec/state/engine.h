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
#include "base/lock.h"
#include "base/options.h"
#include "base/status.h"
#include "exec/state/clock.h"
#include "exec/state/limits.h"
#include "exec/state/operations.h"
#include "exec/state/schedule.h"
#include "exec/state/scope_objects.h"
#include "exec/state/spare.h"
#include "fiber/stack.h"
#include "mem/shared_slab.h"
#include "sched/worker.h"

struct cdp_abi_kernel;
struct cdp_executor;
struct cdp_submission_queue;
struct cdp_replay;
struct cdp_watchdog;

/* The address range of all private memory. */
struct cdp_private_range {
    uintptr_t low, size;
};

/* Part of the engine, shared by all workers. */
struct cdp_launch_memory {
    uint64_t limit;            /* bytes; const */
    _Atomic uint64_t used;     /* workers add */
    _Atomic bool was_exceeded; /* an allocation was refused because of the limit; for reports */
    _Atomic uint32_t pending;  /* device launches that are not complete, if modes.counts_launches */
    struct cdp_spares spares;
    const struct cdp_operations *operations; /* const; the engine's */
};

enum cdp_pace_way { CDP_PACE_SHARED, CDP_PACE_ALONE };

/* Measured times of the grids of one kernel with one number of blocks.  The workers that begin and
 * complete these grids read and write it without order.  It is only a heuristic: a race gives a
 * wrong estimate, and the next grids correct it. */
struct cdp_pace {
    alignas(CDP_CACHE_LINE) _Atomic(const struct cdp_abi_kernel *) kernel; /* NULL: unused */
    _Atomic uint32_t blocks;
    _Atomic uint32_t way; /* enum cdp_pace_way: how grids that begin now are run */
    /* enum cdp_pace_way: the faster one so far; if way differs, a trial is on */
    _Atomic uint32_t better;
    _Atomic uint32_t took[2]; /* by way, in ticks: the least time of the last round; 0: not known */
    _Atomic uint32_t least;   /* least time in the current round */
    _Atomic uint32_t timed;   /* grids timed in the current round */
    _Atomic uint32_t rounds;  /* rounds since the last trial */
    _Atomic uint32_t to_trial; /* rounds between two trials */
};

/* A power of two. */
enum { CDP_PACES = 64 };

/* A ring buffer of records {size_t length, text}. The oldest is at start. */
struct cdp_output {
    struct cdp_lock lock;
    char *buffer CDP_GUARDED_BY(&lock); /* owned */
    size_t start CDP_GUARDED_BY(&lock), end CDP_GUARDED_BY(&lock);
    size_t capacity CDP_GUARDED_BY(&lock);
    size_t limit;          /* most bytes in the buffer; 0: no limit.  Set while no grid runs */
    _Atomic bool has_text; /* set under the lock; the completion of a launch publishes it */
};

/* Modes that are chosen when the engine starts.  All are const except the last one, which workers
 * never read. */
struct cdp_engine_modes {
    bool by_thread;       /* use thread entries, except for kernels that have only a block entry */
    bool by_block;        /* use block entries, and try no others */
    bool counts_launches; /* CDP_LAUNCH_POOL=fixed, CDP_STATS=1, or checks are on */
    bool plain;           /* launches may be plain; see block/plain.h */
    bool races;           /* with the race check */
    bool init;            /* with the check of initialization */
    bool takes_signals_back; /* see os/signals.h */
    bool acts_at_calls; /* takes_signals_back or takes_turns: each call of the host has something to
                           do */
    bool takes_turns;   /* host and worker take turns; schedule->host has all operations */
    bool is_threadless; /* no worker has a thread: device code runs on host threads that wait.  Set
                           after the pool has tried to start threads; not changed after
                           cdp_engine_start */
};

/* The memory of blocks and threads: one reservation of addresses. */
struct cdp_engine_reservation {
    struct cdp_stack_range stacks;      /* workers allocate stacks from it; slabs follow it */
    struct cdp_slab_range slabs;        /* workers allocate shared memory from it */
    struct cdp_private_range own;       /* stacks and slabs together: all private memory; const */
    _Atomic size_t shared_segments_end; /* written by cdp_engine_set_shared_segments; read through
                                           cdp_engine_shared_segments */
};

/* How reports name errors.  The host sets it before its first launch.  NULL: reports give no
 * name. */
struct cdp_engine_names {
    const char *(*status)(enum cdp_status status);
    const char *(*device_error)(int error);
};

/* Counters and wait state that host threads and workers share. */
struct cdp_engine_host {
    struct cdp_lock lock;
    /* list of all queues ever made; owned; changed under lock */
    _Atomic(struct cdp_submission_queue *) queues;
    pthread_key_t key;        /* const; key of a thread's queue */
    uint32_t number;          /* const; number of this engine, never 0 */
    _Atomic uint32_t pending; /* for cdp_chains_pending: chains that no queue counts, less chains
                                 that a queue counts but another thread completed */
    _Atomic uint32_t epoch;   /* incremented by each cdp_engine_notify; futex */
    _Atomic uint32_t waiters; /* host threads asleep on epoch, or about to be */
    _Atomic bool helper_is_bound; /* a host thread is bound to executor 0; set under lock */
    uint32_t helper_bond; /* number of that thread's binding, see loop/wait.c; const once bound */
};

/* The sticky faults of all devices. */
struct cdp_engine_faults {
    struct cdp_lock lock;
    /* devices that have a fault; futex; written under lock, read by all workers */
    _Atomic uint32_t count;
};

/* What the workers need of one device. */
struct cdp_engine_device {
    struct cdp_engine_limits limits; /* the host writes, any worker reads */
    uint32_t clock_khz;              /* const once the first grid was launched */
    struct cdp_output output;
    /* enum cdp_status of the sticky fault; written under faults.lock, read by all workers */
    _Atomic uint32_t fault;
    /* a launch by a device thread failed, and the thread never read the error */
    _Atomic bool lost_launch;
    struct cdp_fault first; /* guarded by faults.lock */
    /* bit i: its kernels may access the memory of device i; the host writes */
    _Atomic uint32_t peers;
    /* bit i: kernels of device i may access the memory of its pool; the host writes */
    _Atomic uint32_t pool_readers;
};

/* A pool of workers that run grids, and the data that they share with the host.
 * Life: from cdp_engine_start to cdp_engine_stop; the caller of start owns it. The comment of each
 * part names the lock or thread that guards it.  Const means: set before the first worker starts,
 * and not changed until the last has ended. */
struct cdp_engine {
    struct cdp_pool pool;              /* see sched/worker.h */
    const struct cdp_options *options; /* const; borrowed until stop */
    struct cdp_engine_modes modes;     /* const */
    struct cdp_executor **executors;   /* const; pool.workers points at the same objects */
    /* const; the pool may have fewer workers if threads could not be created */
    unsigned executor_count;
    unsigned worker_count; /* the number that programs see: the configured one, or fewer if threads
                              could not be created; not changed after cdp_engine_start */
    const struct cdp_operations *operations; /* const */
    const struct cdp_schedule *schedule;     /* const */
    /* const; owned; state of the replayed schedule; NULL with other schedules */
    struct cdp_replay *replay;
    struct cdp_engine_reservation ranges;
    /* by cdp_grid.device; the first device_count are used */
    struct cdp_engine_device devices[CDP_MOST_DEVICES];
    unsigned device_count; /* const */
    struct cdp_launch_memory launch_memory;
    struct cdp_clock clock;
    /* written by the workers that begin and complete the host's grids */
    struct cdp_pace paces[CDP_PACES];
    struct cdp_engine_names names;
    struct cdp_engine_host host;
    struct cdp_scope_objects scope_objects;
    struct cdp_engine_faults faults;
    struct cdp_watchdog *watchdog; /* const; owned; NULL without CDP_TIMEOUT */
};

/* The end of the exported shared segments; 0: there are none.  Every block's shared memory must
 * reach this end.  A library that is loaded while grids run may add segments. */
static inline size_t cdp_engine_shared_segments(const struct cdp_engine *engine)
{
    /* Relaxed: a kernel of the library is found only after the value was set, and the look-up
     * acquires it (api/register.c). The launch publishes it to the workers.  For other kernels the
     * old value is large enough. */
    return atomic_load_explicit(&engine->ranges.shared_segments_end, memory_order_relaxed);
}

/* Whether kernels of the device may access the memory of the owner. */
static inline bool cdp_engine_may_access(const struct cdp_engine *engine, unsigned device,
                                         unsigned owner)
{
    uint32_t peers = atomic_load(&engine->devices[device].peers);
    uint32_t readers = atomic_load(&engine->devices[owner].pool_readers);
    return device == owner || (peers >> owner & 1) != 0 || (readers >> device & 1) != 0;
}

/* Whether some device has a fault. */
static inline bool cdp_engine_has_failed(const struct cdp_engine *engine)
{
    /* Relaxed: the count only stops new work.  The fault itself is read under its lock. */
    return CDP_UNLIKELY(atomic_load_explicit(&engine->faults.count, memory_order_relaxed) != 0);
}

/* Whether this device has one. */
static inline bool cdp_engine_device_has_failed(const struct cdp_engine *engine, unsigned device)
{
    return cdp_engine_has_failed(engine) &&
           atomic_load_explicit(&engine->devices[device].fault, memory_order_relaxed) != CDP_OK;
}

#endif
