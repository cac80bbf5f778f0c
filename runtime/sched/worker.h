/* A worker: one OS thread's place in the pool, and how it finds work.
 *
 * The order in which to look is the caller's (exec/loop/loop.c), since what is ready
 * besides the deques is its business; the ways to look are here. */
#ifndef CDP_SCHED_WORKER_H
#define CDP_SCHED_WORKER_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "sched/deque.h"
#include "sched/mailbox.h"
#include "sched/task.h"

struct cdp_pool;

/* How often an owner wakes somebody for a tiny offer that is the only one in its deque (as in
 * a tree that is worked off in order): seldom, once nobody took them. */
struct cdp_lone_wakes {
    uint32_t thefts;  /* from the deque, when somebody was last woken */
    uint32_t next_at; /* of the offers: at this one again */
    uint32_t step;    /* the offers between two wakes: a power of two, or none yet */
};

/* Embedded as the first member of what the pool's user keeps per worker.
 * Life: from cdp_pool_start to cdp_pool_stop. */
struct cdp_worker {
    struct cdp_pool *pool; /* const */
    unsigned index;        /* const */
    bool has_thread;       /* const; else a host thread lends itself */
    int node;              /* const; of memory, 0 unless the pool goes by nodes */
    int cpu;               /* const; the one to be pinned to if it does */
    /* Owner only. */
    uint64_t random;
    struct cdp_deque_look look;
    struct cdp_lone_wakes lone_wakes;
    bool spins_on; /* has seen others at work: it spins anew before it sleeps */
    /* Shared. */
    struct cdp_deque deque;
    alignas(CDP_CACHE_LINE) struct cdp_mailbox mail;
    _Atomic uint32_t sleeping; /* 1 while asleep; the owner sets, whoever wakes clears; futex */
    _Atomic int pinned_cpu;    /* 1 + the CPU's number; 0: not pinned (yet) */
    _Atomic int waker_cpu;     /* 1 + the CPU from which it was woken last; a hint */
    int thread_number;         /* of the system's; const once pinned_cpu is set */
    pthread_t thread;
};

/* The words of CDP_PIN. */
enum cdp_pin { CDP_PIN_NONE, CDP_PIN_ANY, CDP_PIN_COMPACT, CDP_PIN_SPREAD };

struct cdp_pool {
    /* Const after start. */
    struct cdp_worker **workers;
    unsigned count;     /* as many as got a thread, and the one that may do without */
    size_t stack_bytes; /* of the threads; 0: as is usual */
    uint32_t spin_us;
    uint32_t seed; /* of the workers' random numbers */
    enum cdp_pin pin;
    bool has_nodes;         /* workers are of more than one */
    bool asymmetric_fences; /* the sleeper pays, by membarrier */
    bool keeps;             /* cdp_worker_keep is of use: there are raiders */
    void (*main)(struct cdp_worker *worker);
    /* Shared by all. */
    alignas(CDP_CACHE_LINE) struct cdp_mailbox injected; /* from threads that are not workers */
    _Atomic uint32_t helped; /* so often the host thread that lends itself took from there */
    alignas(CDP_CACHE_LINE) _Atomic uint32_t sleepers; /* workers that sleep or are about to */
    _Atomic uint32_t watchers;                         /* those that look now and then */
    _Atomic bool stopping;
    _Atomic uint32_t is_complete; /* all threads are there that will be: they may begin; futex */
    _Atomic uint64_t moved_at;    /* when a worker last changed its CPU */
    _Atomic bool is_moving;       /* one that holds it may change a worker's CPU */
    /* 1 + the CPU from which a host thread last launched to a sleeper; a hint. */
    _Atomic int host_cpu;
    /* A host thread has lent itself to the first worker; that thread writes. */
    alignas(CDP_CACHE_LINE) _Atomic bool is_helped;
};

/* Starts a thread for each worker that has one, running pool->main(worker).  The
 * workers are the caller's memory, zeroed.  Where the system gives no more threads, count becomes
 * that of the workers up to then, at least 1: the first one then has no thread.  False when out
 * of memory, with nothing left. */
bool cdp_pool_start(struct cdp_pool *pool) CDP_MUST_CHECK;
/* Wakes everybody, waits until every main has returned. */
void cdp_pool_stop(struct cdp_pool *pool);

/* Offers work to this worker and to thieves; wakes a sleeper if there is one.  False
 * when the deque cannot grow: out of memory. */
bool cdp_worker_push(struct cdp_worker *worker, struct cdp_offer offer) CDP_MUST_CHECK;
/* What is kept, or else the newest offer; of a task that was kept last is 0. */
bool cdp_worker_pop(struct cdp_worker *worker, struct cdp_offer *out);
bool cdp_worker_steal(struct cdp_worker *worker, struct cdp_offer *out);

/* Whether a worker is pinned to the CPU the calling thread runs on: then spinning here
 * keeps that worker from running. */
bool cdp_pool_shares_cpu(const struct cdp_pool *pool);
/* A lone worker on the calling thread's CPU moves to another one; false if it cannot, or
 * did so a moment ago. */
bool cdp_pool_move_away(struct cdp_pool *pool);
/* Before a sleeper is woken by a thread on this CPU: where it is pinned to that, or to the one on
 * which a host thread launched, it would wait until the system takes the CPU from that thread, and
 * the system may not put it elsewhere.  So it moves to a CPU that is free, if there is one. */
void cdp_pool_make_way(struct cdp_worker *worker, int here);

/* From any thread: gives the pool a whole task (parts 0 to count - 1, count in the
 * task's own keeping: run is called with last == 0). */
void cdp_pool_inject(struct cdp_pool *pool, struct cdp_task *task);
/* Puts news into a worker's mailbox and wakes it. */
void cdp_worker_post(struct cdp_worker *to, struct cdp_task *task);

/* Somebody sleeps, and this has been offered: wakes one if it is worth it. */
void cdp_worker_wake_for(struct cdp_worker *worker, struct cdp_offer offer);

/* Offers a whole, tiny task by keeping it (sched/deque.h), in a pool that keeps: others get it
 * only while the owner is at work for long.  False: nothing has happened. */
static inline bool cdp_worker_keep(struct cdp_worker *worker, struct cdp_offer whole)
{
    if (!cdp_deque_keep(&worker->deque, whole.task)) {
        return false;
    }
    /* As in cdp_park_anybody_sleeps. */
    atomic_signal_fence(memory_order_seq_cst);
    if (CDP_UNLIKELY(atomic_load_explicit(&worker->pool->sleepers, memory_order_relaxed) != 0)) {
        cdp_worker_wake_for(worker, whole);
    }
    return true;
}

/* xorshift; never zero. */
static inline uint64_t cdp_worker_random(struct cdp_worker *worker)
{
    uint64_t x = worker->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    worker->random = x;
    return x;
}

#endif
