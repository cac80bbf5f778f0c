/* Chains of the host's launches.
 *
 * A chain's word is
 *   a grid           that is the last, while it is not complete: the chain is open;
 *   the same, CLOSED nobody appends any more, and somebody wants to know of the end;
 *   the lane, RESTS  all is complete, the chain is still open;
 *   CLOSED           all is complete.
 * The thread of the lane appends by exchanging the word from the last grid to the new one,
 * or from RESTS.  Only that thread takes records from the lane, so no other chain's word
 * can be one of its grids: where the exchange succeeds the memory still is this chain.
 *
 * Who completes a grid without a successor exchanges the word to RESTS.  If a grid was
 * appended just then, the two settle by an exchange each of the completed grid's next who
 * starts it, as in a block's NULL stream. */
#include "exec/launch/chain.h"

#include <string.h>

#include "base/alloc.h"
#include "exec/launch/notify.h"
#include "exec/launch/record.h"
#include "exec/report/space.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "sched/park.h"

enum { CLOSED = 1, RESTS = 2 };

/* Records that go home together. */
enum { RETURNED_AT_ONCE = 32 };

struct cdp_lane {
    struct cdp_engine *engine; /* const */
    struct cdp_lane *next;     /* const once it is in the engine's list */
    bool taken;                /* by a thread; under the engine's host_lock */
    /* The thread's own. */
    struct cdp_grid_source grids;
    struct cdp_chain *chain; /* that it appends to; NULL: none */
    struct cdp_grid *last;   /* appended to it */
    uint64_t key;
    uint32_t length; /* of the chain, so far */
    /* Times its chain was appended to at rest, less those that it came to rest while the thread
     * lent itself; the thread writes. */
    _Atomic uint32_t pending;
    /* The thread wants to be told when its chain rests. */
    alignas(CDP_CACHE_LINE) _Atomic bool waits;
    /* Records that came home, by task.link and size class: workers push, the thread takes
     * all. */
    alignas(CDP_CACHE_LINE) _Atomic(struct cdp_grid *) returned[CDP_GRID_CLASSES];
};

/* ---- Lanes ---- */

/* The calling thread's lane, and of which engine: handed out in numbers that do not come
 * back. */
static __thread struct {
    struct cdp_lane *lane;
    uint32_t engine;
} here;

static void end_thread(void *value)
{
    struct cdp_lane *lane = value;
    here.engine = 0;
    cdp_lock_acquire(&lane->engine->host.lock);
    lane->taken = false;
    cdp_lock_release(&lane->engine->host.lock);
}

bool cdp_lanes_init(struct cdp_engine *engine)
{
    static _Atomic uint32_t engines;
    engine->host.number = atomic_fetch_add(&engines, 1) + 1;
    return !cdp_alloc_fails() && pthread_key_create(&engine->host.key, end_thread) == 0;
}

void cdp_lanes_finish(struct cdp_engine *engine)
{
    pthread_key_delete(engine->host.key);
    cdp_lock_acquire(&engine->host.lock);
    struct cdp_lane *lane = atomic_exchange(&engine->host.queues, NULL);
    while (lane != NULL) {
        struct cdp_lane *next = lane->next;
        cdp_free(lane);
        lane = next;
    }
    cdp_lock_release(&engine->host.lock);
}

static struct cdp_lane *find_free(struct cdp_engine *engine) CDP_NEEDS(&engine->host.lock)
{
    struct cdp_lane *lane = atomic_load(&engine->host.queues);
    while (lane != NULL && lane->taken) {
        lane = lane->next;
    }
    return lane;
}

static struct cdp_lane *take_lane(struct cdp_engine *engine)
{
    cdp_lock_acquire(&engine->host.lock);
    struct cdp_lane *lane = find_free(engine);
    if (lane == NULL) {
        lane = cdp_alloc_aligned(CDP_CACHE_LINE, sizeof *lane);
        if (lane != NULL) {
            lane->engine = engine;
            lane->grids.run = engine->operations->run_grid;
            lane->next = atomic_load(&engine->host.queues);
            atomic_store(&engine->host.queues, lane);
        }
    }
    if (lane != NULL) {
        lane->taken = true;
        lane->chain = NULL;
    }
    cdp_lock_release(&engine->host.lock);
    return lane;
}

static CDP_NOINLINE struct cdp_lane *bind_lane(struct cdp_engine *engine)
{
    struct cdp_lane *lane = take_lane(engine);
    if (lane != NULL && (cdp_alloc_fails() || pthread_setspecific(engine->host.key, lane) != 0)) {
        cdp_lock_acquire(&engine->host.lock);
        lane->taken = false;
        cdp_lock_release(&engine->host.lock);
        return NULL;
    }
    here.lane = lane;
    here.engine = lane != NULL ? engine->host.number : 0;
    return lane;
}

struct cdp_lane *cdp_engine_own_lane(const struct cdp_engine *engine)
{
    return here.engine == engine->host.number ? here.lane : NULL;
}

struct cdp_lane *cdp_engine_lane(struct cdp_engine *engine)
{
    struct cdp_lane *lane = cdp_engine_own_lane(engine);
    return CDP_LIKELY(lane != NULL) ? lane : bind_lane(engine);
}

/* ---- Records ---- */

/* Those that came home, when the lane's own of that size have run out. */
static CDP_NOINLINE void fetch_returned(struct cdp_lane *lane, size_t param_size)
{
    unsigned class = cdp_grid_class_of(param_size);
    if (class < CDP_GRID_CLASSES && lane->grids.free[class] == NULL) {
        /* Acquire pairs with the release in send_home: what the records were used for. */
        lane->grids.free[class] =
            atomic_exchange_explicit(&lane->returned[class], NULL, memory_order_acquire);
    }
}

static struct cdp_grid *take(struct cdp_lane *lane, size_t param_size)
{
    if (CDP_UNLIKELY(lane->grids.free[0] == NULL || param_size > CDP_GRID_SMALLEST_PARAMS)) {
        fetch_returned(lane, param_size);
    }
    struct cdp_grid *grid = cdp_grid_source_take(&lane->grids, param_size);
    const char *next = (const char *)lane->grids.free[0];
    if (next != NULL) {
        __builtin_prefetch(next, 1); /* a worker had it last */
        __builtin_prefetch(next + CDP_CACHE_LINE, 1);
    }
    return grid;
}

void cdp_lane_drop(struct cdp_lane *lane, struct cdp_grid *grid)
{
    cdp_grid_source_give(&lane->grids, grid);
}

static void send_home(struct cdp_executor *executor)
{
    struct cdp_grid_return *batch = &executor->records.returned;
    if (batch->count == 0) {
        return;
    }
    _Atomic(struct cdp_grid *) *head = &batch->lane->returned[batch->first->size_class];
    struct cdp_grid *old = atomic_load_explicit(head, memory_order_relaxed);
    do {
        batch->last->task.link = old != NULL ? &old->task : NULL;
        /* Release pairs with the acquire in fetch_returned. */
    } while (!atomic_compare_exchange_weak_explicit(head, &old, batch->first, memory_order_release,
                                                    memory_order_relaxed));
    batch->count = 0;
}

static void give_back(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_grid_return *batch = &executor->records.returned;
    if (executor->help.queue == grid->lane) {
        cdp_grid_source_give(&grid->lane->grids, grid);
        return;
    }
    if (batch->count != 0 && (batch->lane != grid->lane || batch->count == RETURNED_AT_ONCE ||
                              batch->first->size_class != grid->size_class)) {
        send_home(executor);
    }
    if (batch->count++ == 0) {
        batch->lane = grid->lane;
        batch->first = grid;
    } else {
        batch->last->task.link = &grid->task;
    }
    batch->last = grid;
}

static void fill_params(struct cdp_grid *grid, const struct cdp_launch *launch)
{
    const struct cdp_abi_kernel *kernel = launch->kernel;
    char *params = cdp_grid_params(grid);
    if (launch->params != NULL) {
        memcpy(params, launch->params, kernel->param_size);
        return;
    }
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const struct cdp_abi_param *param = &kernel->params[i];
        memcpy(params + param->offset, launch->args[i], param->size);
    }
}

static void check_params(struct cdp_engine *engine, struct cdp_grid *grid)
{
    void *params = cdp_grid_params(grid);
    if (CDP_UNLIKELY(cdp_space_hands_on(grid->kernel, params, engine->ranges.own))) {
        struct cdp_handover handover = {
            .engine = engine, .kernel = grid->kernel, .params = params, .site = grid->site};
        cdp_space_handed_on(&handover, engine->ranges.own);
    }
}

/* As exec/block/plain.h has it, but for its order. */
static bool is_plain(const struct cdp_engine *engine, const struct cdp_launch *launch)
{
    return engine->modes.plain && launch->grid_dim[0] == 1 && launch->grid_dim[1] == 1 &&
           launch->grid_dim[2] == 1 && launch->block_dim[1] == 1 && launch->block_dim[2] == 1 &&
           launch->dynamic_shared == 0 && (launch->kernel->flags & CDP_KERNEL_WARP_OPS) == 0 &&
           (launch->kernel->shared_extent | engine->ranges.shared_segments_end) == 0;
}

struct cdp_grid *cdp_lane_prepare(struct cdp_lane *lane, const struct cdp_launch *launch)
{
    struct cdp_grid *grid = take(lane, launch->kernel->param_size);
    if (grid == NULL) {
        return NULL;
    }
    fill_params(grid, launch);
    grid->kernel = launch->kernel;
    grid->kind = CDP_GRID_HOST;
    grid->plain = is_plain(lane->engine, launch);
    grid->lane = lane;
    grid->shape.dynamic_shared = launch->dynamic_shared;
    grid->site = launch->site;
    cdp_grid_set_shape(grid, launch->grid_dim, launch->block_dim);
    check_params(lane->engine, grid);
    return grid;
}

/* ---- The thread's side of chains ---- */

static void begin(struct cdp_chain *chain, struct cdp_grid *grid, uintptr_t mark)
{
    grid->chain = chain;
    chain->first = grid;
    /* Release pairs with the acquire in is_over: who finds another chain here sees what the
     * one before did. */
    atomic_store_explicit(&chain->last, (uintptr_t)grid | mark, memory_order_release);
}

void cdp_chain_begin(struct cdp_chain *chain, struct cdp_grid *grid)
{
    begin(chain, grid, CLOSED);
}

void cdp_chain_open(struct cdp_chain *chain, struct cdp_grid *grid, uint64_t key)
{
    struct cdp_lane *lane = grid->lane;
    lane->chain = chain;
    lane->last = grid;
    lane->key = key;
    lane->length = 1;
    begin(chain, grid, 0);
}

/* Whether this thread has run it itself, as all workers sleep and it ends soon (loop/brief.h). */
static bool is_run_at_once(struct cdp_engine *engine, struct cdp_grid *grid)
{
    /* Relaxed: a guess.  Whoever wakes now is late for this grid, which nobody offers. */
    return CDP_UNLIKELY((grid->kernel->flags & CDP_KERNEL_BRIEF) != 0) &&
           atomic_load_explicit(&engine->pool.sleepers, memory_order_relaxed) ==
               engine->pool.count - 1 &&
           engine->operations->run_brief(engine, grid);
}

static void start(struct cdp_engine *engine, struct cdp_grid *grid)
{
    if (!is_run_at_once(engine, grid)) {
        cdp_engine_inject(engine, &grid->task);
    }
}

void cdp_engine_submit(struct cdp_engine *engine, struct cdp_chain *chain)
{
    chain->by_lane = false;
    atomic_fetch_add(&engine->host.pending, 1);
    start(engine, chain->first);
}

/* By the lane's thread. */
static void count(struct cdp_lane *lane, uint32_t change)
{
    /* Relaxed: cdp_chains_pending says why that is enough. */
    uint32_t pending = atomic_load_explicit(&lane->pending, memory_order_relaxed);
    atomic_store_explicit(&lane->pending, pending + change, memory_order_relaxed);
}

/* The chain rested: the lane counts it, which takes no exchange. */
static void start_again(struct cdp_lane *lane, struct cdp_chain *chain, struct cdp_grid *grid)
{
    chain->by_lane = true;
    count(lane, 1);
    start(lane->engine, grid);
}

/* Never too few.  A chain that a lane has counted may be taken off the engine's count: this is
 * read first, and acquires what the worker released when it did so, to which the lane's thread
 * had released its count with the launch.  One that the engine has counted never is taken off a
 * lane's.  Whoever knows that a chain is pending has its count by the way by which it knows. */
uint32_t cdp_chains_pending(struct cdp_engine *engine)
{
    uint32_t pending = atomic_load(&engine->host.pending);
    const struct cdp_lane *lane = atomic_load(&engine->host.queues);
    for (; lane != NULL; lane = lane->next) {
        pending += atomic_load_explicit(&lane->pending, memory_order_relaxed);
    }
    return pending;
}

/* Behind the lane's last grid, to which the word has just led. */
static void follow(struct cdp_lane *lane, struct cdp_grid *last, struct cdp_grid *grid)
{
    if (CDP_UNLIKELY(atomic_exchange_explicit(&last->next, grid, memory_order_acq_rel) ==
                     CDP_GRID_DONE)) {
        cdp_lane_drop(lane, last); /* whoever completed it has left it to us */
        cdp_engine_inject(lane->engine, &grid->task);
    }
}

bool cdp_lane_append(struct cdp_lane *lane, uint64_t key, struct cdp_grid *grid)
{
    struct cdp_chain *chain = lane->chain;
    if (chain == NULL || lane->key != key || lane->length >= CDP_LONGEST_CHAIN) {
        return false;
    }
    struct cdp_grid *last = lane->last;
    grid->chain = chain;
    /* Relaxed: a guess, which decides what is tried. */
    uintptr_t word = atomic_load_explicit(&chain->last, memory_order_relaxed);
    /* Release pairs with the acquire of whoever completes grid; acquire, where the chain
     * rested: what its launches did. */
    if (CDP_LIKELY(word == (uintptr_t)last) &&
        CDP_LIKELY(atomic_compare_exchange_strong_explicit(
            &chain->last, &word, (uintptr_t)grid, memory_order_acq_rel, memory_order_relaxed))) {
        lane->last = grid;
        lane->length++;
        follow(lane, last, grid);
        return true;
    }
    if (word == ((uintptr_t)lane | RESTS) &&
        atomic_compare_exchange_strong_explicit(&chain->last, &word, (uintptr_t)grid,
                                                memory_order_acq_rel, memory_order_relaxed)) {
        lane->last = grid;
        lane->length = 1;
        start_again(lane, chain, grid);
        return true;
    }
    lane->chain = NULL;
    return false;
}

bool cdp_lane_is_full(const struct cdp_lane *lane, const struct cdp_chain *chain)
{
    return lane->chain == chain && lane->length >= CDP_LONGEST_CHAIN;
}

bool cdp_lane_is_open(const struct cdp_lane *lane, uint64_t key)
{
    if (lane->chain == NULL || (lane->key != key && key != CDP_ANY_KEY)) {
        return false;
    }
    uintptr_t word = atomic_load_explicit(&lane->chain->last, memory_order_acquire);
    return word == (uintptr_t)lane->last || word == ((uintptr_t)lane | RESTS);
}

/* The chain may have been closed meanwhile, and its memory be another's. */
static bool is_over(const struct cdp_lane *lane)
{
    return (atomic_load(&lane->chain->last) & ~(uintptr_t)CLOSED) != (uintptr_t)lane->last;
}

/* Once it is false the thread is told of the end.  It is not before: a thread that lends itself
 * mostly has done all by itself when it asks for the first time. */
static bool is_over_or_told(void *arg)
{
    struct cdp_lane *lane = arg;
    if (is_over(lane)) {
        return true;
    }
    /* Relaxed: whoever asks has stored it, or it is false. */
    if (atomic_load_explicit(&lane->waits, memory_order_relaxed)) {
        return false;
    }
    /* Before the look at the chain, as the worker looks here after its exchange. */
    atomic_store(&lane->waits, true);
    return is_over(lane);
}

void cdp_lane_wait(struct cdp_lane *lane, bool idle)
{
    if (is_over(lane)) {
        return;
    }
    lane->engine->operations->await(lane->engine, idle, is_over_or_told, lane);
    /* Relaxed: who reads what was here before tells in vain. */
    atomic_store_explicit(&lane->waits, false, memory_order_relaxed);
}

bool cdp_chain_rests(const struct cdp_chain *chain)
{
    return (atomic_load_explicit(&chain->last, memory_order_relaxed) & RESTS) != 0;
}

bool cdp_chain_close(struct cdp_chain *chain)
{
    uintptr_t word = atomic_load_explicit(&chain->last, memory_order_relaxed);
    while ((word & CLOSED) == 0) {
        uintptr_t closed = (word & RESTS) != 0 ? CLOSED : word | CLOSED;
        /* Acquire, where the chain rested: what its launches did. */
        if (atomic_compare_exchange_weak_explicit(&chain->last, &word, closed, memory_order_acq_rel,
                                                  memory_order_relaxed)) {
            return (word & RESTS) != 0;
        }
    }
    return false;
}

/* ---- The workers' side ---- */

/* A chain must not keep others from an executor, nor a host thread that lends itself from
 * what it does next: only its own chains come to an end while it waits. */
static void go_on(struct cdp_executor *executor, struct cdp_grid *grid)
{
    const struct cdp_pool *pool = executor->worker.pool;
    const struct cdp_grid *after = atomic_load_explicit(&grid->next, memory_order_relaxed);
    if (after != NULL) {
        __builtin_prefetch(after);
        __builtin_prefetch((const char *)after + CDP_CACHE_LINE);
    }
    bool own = executor->worker.has_thread || executor->help.queue == grid->lane;
    bool is_lent = executor->help.brief.grid != NULL; /* for one grid alone */
    if (executor->direct == NULL && own && !is_lent && cdp_mailbox_seems_empty(&pool->injected) &&
        cdp_deque_seems_empty(&executor->worker.deque)) {
        executor->direct = grid;
    } else {
        cdp_engine_inject(executor->engine, &grid->task);
    }
}

/* The chain of which grid was the last is complete, and was counted by its lane or not. */
static void end(struct cdp_executor *executor, struct cdp_grid *grid, struct cdp_chain *closed,
                bool by_lane)
{
    struct cdp_engine *engine = executor->engine;
    struct cdp_lane *lane = grid->lane;
    bool own = executor->help.queue == lane;
    give_back(executor, grid);
    send_home(executor);
    if (closed != NULL) {
        closed->on_complete(closed);
    }
    /* Only now: who knows a chain to be pending must find it counted. */
    if (own && by_lane) {
        count(lane, (uint32_t)-1);
    } else {
        atomic_fetch_sub(&engine->host.pending, 1);
    }
    if (own) {
        executor->help.seen_epoch =
            atomic_load(&engine->host.epoch) - 1; /* we wait for it ourselves */
    }
    if (closed != NULL || (!own && atomic_load(&lane->waits))) {
        cdp_engine_notify(engine);
    }
}

void cdp_chain_step(struct cdp_executor *executor, struct cdp_grid *grid)
{
    if (CDP_UNLIKELY(executor->engine->watchdog != NULL)) {
        atomic_fetch_add(&executor->engine->host.epoch, 1); /* a launch is complete */
    }
    /* Acquire pairs with follow: the next grid. */
    struct cdp_grid *next = atomic_load_explicit(&grid->next, memory_order_acquire);
    if (next == NULL) {
        struct cdp_chain *chain = grid->chain;
        uintptr_t word = (uintptr_t)grid;
        bool by_lane = chain->by_lane; /* at rest it is its thread's */
        /* Sequentially consistent, as the thread's waits: end looks at that next.  Its release
         * pairs with the acquire of whoever finds the chain at rest. */
        if (atomic_compare_exchange_strong(&chain->last, &word, (uintptr_t)grid->lane | RESTS)) {
            end(executor, grid, NULL, by_lane);
            return;
        }
        if (word == ((uintptr_t)grid | CLOSED)) {
            atomic_store(&chain->last, CLOSED); /* its thread may wait for it by this */
            end(executor, grid, chain, by_lane);
            return;
        }
        next = atomic_exchange_explicit(&grid->next, CDP_GRID_DONE, memory_order_acq_rel);
        if (next == NULL) {
            return; /* its thread is about to append, and goes on */
        }
    }
    give_back(executor, grid);
    go_on(executor, next);
}
