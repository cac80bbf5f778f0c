/* A mutex with a rank. A thread may take a lock only if its rank is above that of every lock that
 * the thread holds, so two threads can never wait for each other. Builds with CDP_DEBUG abort at
 * the first wrong order, even if it would not have hung. No lock is held across a fiber switch, a
 * user's callback or a kernel. */
#ifndef CDP_BASE_LOCK_H
#define CDP_BASE_LOCK_H

#include <pthread.h>

#include "base/attr.h"

/* The lock order, from first taken to last taken. Locks of one rank are never held together. */
enum cdp_lock_rank {
    CDP_RANK_DRIVER = 1, /* contexts or modules of the driver API (api/driver/) */
    CDP_RANK_REGISTRY,   /* struct cdp_registry: modules, kernels; or api/last_thread.c's threads */
    CDP_RANK_CAPTURE,    /* streams that are being captured (api/capture.c), and their graphs */
    CDP_RANK_GRAPHS,     /* handles of graphs, executable graphs; memory of graphs (api/graph*.c) */
    CDP_RANK_NCCL,       /* communicators and their operations (api/nccl/) */
    CDP_RANK_GRAPH_RUNS, /* launches of graphs by kernels (api/graph_run.c) */
    CDP_RANK_STREAMS,    /* struct cdp_streams: the host's streams and events */
    CDP_RANK_MEMORY_OPS, /* streams that wait for values in memory (stream/memory_op.c) */
    CDP_RANK_TEXTURES,   /* struct cdp_texture_table: arrays, textures, surfaces */
    CDP_RANK_ENGINE,     /* struct cdp_engine: host threads' queues; device streams' handles */
    CDP_RANK_SPARES,     /* struct cdp_spares: unused launch records and blocks */
    CDP_RANK_IMPORTS,    /* memory of other processes (mem/import.c) */
    CDP_RANK_HEAP,       /* struct cdp_heap: one of the device's memories */
    CDP_RANK_MEMMAP,     /* registered ranges (mem/memmap.c), or constants (mem/constants.c) */
    CDP_RANK_WAITS,      /* races/wait.c */
    CDP_RANK_RACES,      /* races/history.c */
    CDP_RANK_RELEASES,   /* races/release.c */
    CDP_RANK_OUTPUT,     /* device printf's buffer; the sticky fault; launches with unread errors */
    CDP_RANK_FINDING,    /* the findings of checks (exec/report/finding.c) */
    CDP_RANK_TURN,       /* struct cdp_turn: with CDP_SEED, whether the host or the device runs */
    CDP_RANK_RECORDER,   /* what a thread recorded for the profile (exec/report/recorder.h) */
    CDP_RANK_SPIN,       /* exec/launch/spin.h: one launch record, device stream or event */
};

struct CDP_CAPABILITY("mutex") cdp_lock {
    pthread_mutex_t mutex;
    enum cdp_lock_rank rank;
};

#define CDP_LOCK_INITIAL(lock_rank) {.mutex = PTHREAD_MUTEX_INITIALIZER, .rank = (lock_rank)}

void cdp_lock_init(struct cdp_lock *lock, enum cdp_lock_rank rank);
void cdp_lock_finish(struct cdp_lock *lock);
void cdp_lock_acquire(struct cdp_lock *lock) CDP_ACQUIRES(lock);
void cdp_lock_release(struct cdp_lock *lock) CDP_RELEASES(lock);

#ifdef CDP_DEBUG
/* For where no lock may be held: aborts if this thread holds one. */
void cdp_lock_expect_none(void);
/* For locks of other kinds: this thread is about to take one of the rank, or releases it. */
void cdp_lock_note_acquire(enum cdp_lock_rank rank);
void cdp_lock_note_release(enum cdp_lock_rank rank);
#else
static inline void cdp_lock_expect_none(void)
{
}
static inline void cdp_lock_note_acquire(enum cdp_lock_rank rank)
{
    (void)rank;
}
static inline void cdp_lock_note_release(enum cdp_lock_rank rank)
{
    (void)rank;
}
#endif

#endif
