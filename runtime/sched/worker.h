/* A worker: one OS thread's data in the pool, and how it finds work.
 *
 * The caller chooses the order of the search (exec/loop/loop.c), because it knows what else is
 * ready besides the deques. The single searches are here. */
#ifndef CDP_SCHED_WORKER_H
#define CDP_SCHED_WORKER_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/random.h"
#include "sched/deque.h"
#include "sched/mailbox.h"
#include "sched/task.h"

struct cdp_pool;

/* How often an owner wakes a worker for a tiny offer that is alone in its deque (as in a tree that
 * runs in order). It wakes rarely after no worker took such offers. */
struct cdp_lone_wakes {
    uint32_t thefts;  /* from the deque, when a worker was last woken */
    uint32_t next_at; /* the number of the offer at which it wakes again */
    uint32_t step;    /* the offers between two wakes: a power of two, or none yet */
};

/* Embedded as the first member of the per-worker data of the pool's user. Life: from cdp_pool_start
 * to cdp_pool_stop. */
struct cdp_worker {
    struct cdp_pool *pool; /* const */
    unsigned index;        /* const */
    bool has_thread;       /* otherwise a host thread runs blocks for this worker; not changed after
                              cdp_pool_start */
    int node;              /* const; of memory, 0 unless the pool goes by nodes */
    int cpu;               /* const; the CPU to be pinned to if workers are pinned */
    /* Owner only. */
    uint64_t random;
    struct cdp_deque_look look;
    struct cdp_lone_wakes lone_wakes;
    bool spins_on;  /* has seen active workers: it spins again before it sleeps */
    bool is_prompt; /* the last task from a host thread was left to it; only used with one CPU */
    /* Shared. */
    struct cdp_deque deque;
    alignas(CDP_CACHE_LINE) struct cdp_mailbox mail;
    /* 1 while asleep; the owner sets it, the waking thread clears it; futex */
    _Atomic uint32_t sleeping;
    _Atomic int pinned_cpu; /* 1 + the CPU's number; 0: not pinned (yet) */
    _Atomic int waker_cpu;  /* 1 + the CPU from which it was woken last; a hint */
    int thread_number;      /* the system's; const once pinned_cpu is set */
    pthread_t thread;
};

/* The values of CDP_PIN. */
enum cdp_pin { CDP_PIN_NONE, CDP_PIN_ANY, CDP_PIN_COMPACT, CDP_PIN_SPREAD };

struct cdp_pool {
    /* Const after start. */
    struct cdp_worker **workers;
    unsigned count;     /* number of workers that have a thread, plus the one that may have none */
    size_t stack_bytes; /* of the threads' stacks; 0: the default */
    uint32_t spin_us;
    uint32_t seed; /* of the workers' random numbers */
    enum cdp_pin pin;
    bool has_nodes;         /* the workers are on more than one node */
    bool asymmetric_fences; /* the sleeper pays, by membarrier */
    bool keeps;             /* cdp_worker_keep is useful: there are raiders */
    void (*main)(struct cdp_worker *worker);
    /* Shared by all. */
    alignas(CDP_CACHE_LINE) struct cdp_mailbox injected; /* from threads that are not workers */
    /* how often the host thread that runs blocks took a task from injected */
    _Atomic uint32_t helped;
    /* number of workers that sleep or are about to */
    alignas(CDP_CACHE_LINE) _Atomic uint32_t sleepers;
    _Atomic uint32_t watchers; /* number of sleeping workers that poll from time to time */
    _Atomic bool stopping;
    _Atomic uint32_t is_complete; /* all threads have been started: they may begin; futex */
    _Atomic uint64_t moved_at;    /* when a worker last changed its CPU */
    _Atomic bool is_moving;       /* the thread that has set it may change a worker's CPU */
    /* 1 + the CPU from which a host thread last launched to a sleeper; a hint. */
    _Atomic int host_cpu;
    /* A host thread runs blocks in place of the first worker; that thread writes this. */
    alignas(CDP_CACHE_LINE) _Atomic bool is_helped;
};

/* Starts a thread for each worker that has one, running pool->main(worker). The workers are the
 * caller's memory, zeroed. If the system refuses more threads, count becomes the number of workers
 * started so far, at least 1: the first one then has no thread. False if out of memory; then
 * nothing is left. */
bool cdp_pool_start(struct cdp_pool *pool) CDP_MUST_CHECK;
/* Wakes all workers, and waits until every main has returned. */
void cdp_pool_stop(struct cdp_pool *pool);

/* Offers work to this worker and to thieves. Wakes a sleeping worker if there is one. False if the
 * deque cannot grow. */
bool cdp_worker_push(struct cdp_worker *worker, struct cdp_offer offer) CDP_MUST_CHECK;
/* The kept task, or else the newest offer. For a kept task, last is 0. */
bool cdp_worker_pop(struct cdp_worker *worker, struct cdp_offer *out);
bool cdp_worker_steal(struct cdp_worker *worker, struct cdp_offer *out);

/* Whether a worker is pinned to the CPU of the calling thread. Then spinning would keep that worker
 * from running. */
bool cdp_pool_shares_cpu(const struct cdp_pool *pool);
/* Moves a lone worker from the calling thread's CPU to another one. False if that is impossible, or
 * was done a moment ago. */
bool cdp_pool_move_away(struct cdp_pool *pool);
/* To be called before a thread on this CPU wakes a sleeper. The sleeper may be pinned to this CPU,
 * or to the one from which a host thread launched. There it would wait until the system preempts
 * that thread, and the system may not move it. So it moves to a free CPU, if there is one. */
void cdp_pool_make_way(struct cdp_worker *worker, int here);

/* From any thread: adds a whole task to the pool (parts 0 to count - 1; the task itself stores
 * count, and run is called with last == 0). */
void cdp_pool_inject(struct cdp_pool *pool, struct cdp_task *task);
/* Puts a message into a worker's mailbox and wakes the worker. */
void cdp_worker_post(struct cdp_worker *to, struct cdp_task *task);

/* This offer was pushed while a worker sleeps: wakes one if it is worth it. */
void cdp_worker_wake_for(struct cdp_worker *worker, struct cdp_offer offer);

/* Offers a whole, tiny task by keeping it (sched/deque.h), in a pool that keeps tasks. Other
 * workers get it only if the owner is busy for long. False: nothing has changed. */
static inline bool cdp_worker_keep(struct cdp_worker *worker, struct cdp_offer whole)
{
    if (!cdp_deque_keep(&worker->deque, whole.task)) {
        return false;
    }
    /* Like cdp_park_anybody_sleeps. */
    atomic_signal_fence(memory_order_seq_cst);
    if (CDP_UNLIKELY(atomic_load_explicit(&worker->pool->sleepers, memory_order_relaxed) != 0)) {
        cdp_worker_wake_for(worker, whole);
    }
    return true;
}

/* Never zero. */
static inline uint64_t cdp_worker_random(struct cdp_worker *worker)
{
    return cdp_random_next(&worker->random);
}

#endif
