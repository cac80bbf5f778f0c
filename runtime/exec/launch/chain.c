/* Chains of the host's launches.
 *
 * A chain's word, last, is one of
 *   a grid         the last grid of the chain, which is not complete; the chain is open;
 *   grid, CLOSED   nothing more is appended; on_complete will be called;
 *   queue, RESTS   all launches are complete, and the chain is still open;
 *   CLOSED         all launches are complete.
 * The thread of the queue appends: it exchanges the word from the last grid, or from RESTS, to the
 * new grid.  Only that thread takes records from the queue.  So no other chain's word can be one of
 * this queue's grids.  If the exchange succeeds, the memory is still this chain.
 *
 * A worker that completes a grid without a successor exchanges the word to RESTS.  If a grid is
 * appended at the same time, worker and thread both exchange the completed grid's next, as in a
 * block's NULL stream.  The second of the two starts the successor. */
#include "exec/launch/chain.h"

#include "exec/launch/notify.h"
#include "exec/launch/record.h"
#include "exec/launch/submission_queue.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "exec/state/valid.h"
#include "sched/park.h"

enum { CLOSED = CDP_CHAIN_CLOSED, RESTS = CDP_CHAIN_RESTS };

/* Most records in a batch that returns to a queue. */
enum { RETURNED_AT_ONCE = 32 };

/* ---- The return of records to their queues ---- */

static void send_home(struct cdp_executor *executor)
{
    struct cdp_grid_return *batch = &executor->records.returned;
    if (batch->count == 0) {
        return;
    }
    _Atomic(struct cdp_grid *) *head = &batch->queue->returned[batch->first->size_class];
    struct cdp_grid *old = atomic_load_explicit(head, memory_order_relaxed);
    do {
        cdp_grid_link(batch->last, old);
        /* Release pairs with the acquire in fetch_returned. */
    } while (!atomic_compare_exchange_weak_explicit(head, &old, batch->first, memory_order_release,
                                                    memory_order_relaxed));
    batch->count = 0;
}

static void give_back(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_grid_return *batch = &executor->records.returned;
    if (executor->help.queue == grid->queue) {
        cdp_grid_source_give(&grid->queue->grids, grid);
        return;
    }
    if (batch->count != 0 && (batch->queue != grid->queue || batch->count == RETURNED_AT_ONCE ||
                              batch->first->size_class != grid->size_class)) {
        send_home(executor);
    }
    if (batch->count++ == 0) {
        batch->queue = grid->queue;
        batch->first = grid;
    } else {
        cdp_grid_link(batch->last, grid);
    }
    batch->last = grid;
}

/* ---- The thread's side of chains ---- */

static void begin(struct cdp_chain *chain, struct cdp_grid *grid, uintptr_t mark)
{
    grid->chain = chain;
    chain->first = grid;
    CDP_CHECK_VALID(cdp_grid_is_valid(grid));
    /* Release pairs with the acquire in cdp_submission_is_over: a thread that finds another chain
     * here sees the effects of the chain before. */
    atomic_store_explicit(&chain->last, (uintptr_t)grid | mark, memory_order_release);
}

void cdp_chain_begin(struct cdp_chain *chain, struct cdp_grid *grid)
{
    begin(chain, grid, CLOSED);
}

void cdp_chain_open(struct cdp_chain *chain, struct cdp_grid *grid, uint64_t key)
{
    struct cdp_submission_queue *queue = grid->queue;
    queue->chain = chain;
    queue->last = grid;
    queue->key = key;
    queue->length = 1;
    begin(chain, grid, 0);
}

/* Runs the grid on this thread if all workers sleep and the grid is brief (loop/brief.h).  True if
 * it ran. */
static bool is_run_at_once(struct cdp_engine *engine, struct cdp_grid *grid)
{
    /* Relaxed: a heuristic.  A worker that wakes now cannot get this grid, because it is not
     * offered. */
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
    chain->by_queue = false;
    atomic_fetch_add(&engine->host.pending, 1);
    start(engine, chain->first);
}

/* Called by the queue's thread only. */
static void count(struct cdp_submission_queue *queue, uint32_t change)
{
    /* Relaxed: the comment at cdp_chains_pending explains why that is enough. */
    uint32_t pending = atomic_load_explicit(&queue->pending, memory_order_relaxed);
    atomic_store_explicit(&queue->pending, pending + change, memory_order_relaxed);
}

/* The chain was at rest.  Now the queue counts it, which needs no atomic exchange. */
static void start_again(struct cdp_submission_queue *queue, struct cdp_chain *chain,
                        struct cdp_grid *grid)
{
    chain->by_queue = true;
    count(queue, 1);
    start(queue->engine, grid);
}

/* The result is never too small.  A worker may subtract a chain that a queue has counted from the
 * engine's count.  This count is read first.  That acquires the worker's release, which follows the
 * launch, and the launch published the queue's count.  A chain that the engine has counted is never
 * subtracted from a queue's count.  If a caller knows that a chain is pending, this knowledge was
 * published together with the count. */
uint32_t cdp_chains_pending(struct cdp_engine *engine)
{
    uint32_t pending = atomic_load(&engine->host.pending);
    const struct cdp_submission_queue *queue = atomic_load(&engine->host.queues);
    for (; queue != NULL; queue = queue->next) {
        pending += atomic_load_explicit(&queue->pending, memory_order_relaxed);
    }
    return pending;
}

/* Links grid to the queue's last grid.  The chain's word was that last grid until now. */
static void follow(struct cdp_submission_queue *queue, struct cdp_grid *last, struct cdp_grid *grid)
{
    if (CDP_UNLIKELY(atomic_exchange_explicit(&last->next, grid, memory_order_acq_rel) ==
                     CDP_GRID_DONE)) {
        /* The worker that completed it has left its record to us. */
        cdp_submission_drop(queue, last);
        cdp_engine_inject(queue->engine, &grid->task);
    }
}

bool cdp_submission_append(struct cdp_submission_queue *queue, uint64_t key, struct cdp_grid *grid)
{
    struct cdp_chain *chain = queue->chain;
    if (chain == NULL || queue->key != key || queue->length >= CDP_LONGEST_CHAIN) {
        return false;
    }
    struct cdp_grid *last = queue->last;
    grid->chain = chain;
    CDP_CHECK_VALID(cdp_grid_is_valid(grid));
    /* Relaxed: a guess.  It decides which exchange is tried. */
    uintptr_t word = atomic_load_explicit(&chain->last, memory_order_relaxed);
    /* Release pairs with the acquire of the worker that completes grid.  Acquire, if the chain was
     * at rest: the effects of its launches. */
    if (CDP_LIKELY(word == (uintptr_t)last) &&
        CDP_LIKELY(atomic_compare_exchange_strong_explicit(
            &chain->last, &word, (uintptr_t)grid, memory_order_acq_rel, memory_order_relaxed))) {
        queue->last = grid;
        queue->length++;
        follow(queue, last, grid);
        return true;
    }
    if (word == ((uintptr_t)queue | RESTS) &&
        atomic_compare_exchange_strong_explicit(&chain->last, &word, (uintptr_t)grid,
                                                memory_order_acq_rel, memory_order_relaxed)) {
        queue->last = grid;
        queue->length = 1;
        start_again(queue, chain, grid);
        return true;
    }
    queue->chain = NULL;
    return false;
}

bool cdp_submission_is_full(const struct cdp_submission_queue *queue, const struct cdp_chain *chain)
{
    return queue->chain == chain && queue->length >= CDP_LONGEST_CHAIN;
}

bool cdp_submission_is_open(const struct cdp_submission_queue *queue, uint64_t key, uint64_t mask)
{
    if (queue->chain == NULL || ((queue->key ^ key) & mask) != 0) {
        return false;
    }
    uintptr_t word = atomic_load_explicit(&queue->chain->last, memory_order_acquire);
    return word == (uintptr_t)queue->last || word == ((uintptr_t)queue | RESTS);
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
        /* Acquire, if the chain was at rest: the effects of its launches. */
        if (atomic_compare_exchange_weak_explicit(&chain->last, &word, closed, memory_order_acq_rel,
                                                  memory_order_relaxed)) {
            return (word & RESTS) != 0;
        }
    }
    return false;
}

/* ---- The workers' side ---- */

/* Starts the next grid of a chain.  A chain must not keep an executor from other work.  A host
 * thread in the loop of executor 0 must not be kept from returning.  It runs its own chains
 * directly, because they end while it waits. */
static void go_on(struct cdp_executor *executor, struct cdp_grid *grid)
{
    const struct cdp_pool *pool = executor->worker.pool;
    const struct cdp_grid *after = atomic_load_explicit(&grid->next, memory_order_relaxed);
    if (after != NULL) {
        __builtin_prefetch(after);
        __builtin_prefetch((const char *)after + CDP_CACHE_LINE);
    }
    bool own = executor->worker.has_thread || executor->help.queue == grid->queue;
    /* This thread is in the loop for one grid only. */
    bool is_lent = executor->help.brief.grid != NULL;
    if (executor->direct == NULL && own && !is_lent && cdp_mailbox_seems_empty(&pool->injected) &&
        cdp_deque_seems_empty(&executor->worker.deque)) {
        executor->direct = grid;
    } else {
        cdp_engine_inject(executor->engine, &grid->task);
    }
}

/* grid was the last one of its chain, and the chain is complete. by_queue: its queue counted the
 * chain, and not the engine. */
static void end(struct cdp_executor *executor, struct cdp_grid *grid, struct cdp_chain *closed,
                bool by_queue)
{
    struct cdp_engine *engine = executor->engine;
    struct cdp_submission_queue *queue = grid->queue;
    bool own = executor->help.queue == queue;
    give_back(executor, grid);
    send_home(executor);
    if (closed != NULL) {
        closed->on_complete(closed);
    }
    /* Only now: a chain that a thread knows to be pending must still be counted. */
    if (own && by_queue) {
        count(queue, (uint32_t)-1);
    } else {
        atomic_fetch_sub(&engine->host.pending, 1);
    }
    if (own) {
        executor->help.seen_epoch =
            atomic_load(&engine->host.epoch) - 1; /* this thread itself waits for the chain */
    }
    if (closed != NULL || (!own && atomic_load(&queue->waits))) {
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
        /* Once the chain is at rest, its thread may write by_queue. */
        bool by_queue = chain->by_queue;
        /* Sequentially consistent, like the accesses of queue->waits: end() reads it next.  The
         * release pairs with the acquire of a thread that finds the chain at rest. */
        if (atomic_compare_exchange_strong(&chain->last, &word, (uintptr_t)grid->queue | RESTS)) {
            end(executor, grid, NULL, by_queue);
            return;
        }
        if (word == ((uintptr_t)grid | CLOSED)) {
            atomic_store(&chain->last, CLOSED); /* its thread may wait for this value */
            end(executor, grid, chain, by_queue);
            return;
        }
        next = atomic_exchange_explicit(&grid->next, CDP_GRID_DONE, memory_order_acq_rel);
        if (next == NULL) {
            return; /* its thread is about to append, and starts the next grid */
        }
    }
    give_back(executor, grid);
    go_on(executor, next);
}
