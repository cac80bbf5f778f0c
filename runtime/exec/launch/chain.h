/* The host's launches: records from the queue of the launching thread, in chains.
 *
 * Consecutive launches of one thread into one stream make a chain.  To append takes two
 * atomic operations of the host and none of the worker, which goes from one launch to
 * the next as it does within a block's NULL stream (launch/grid.h). */
#ifndef CDP_EXEC_LAUNCH_CHAIN_H
#define CDP_EXEC_LAUNCH_CHAIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"

struct cdp_engine;
struct cdp_executor;
struct cdp_grid;

/* A launch by the host. */
struct cdp_launch {
    const struct cdp_abi_kernel *kernel; /* borrowed for ever */
    uint32_t grid_dim[3], block_dim[3];
    uint32_t dynamic_shared; /* bytes */
    const void *params;      /* kernel->param_size bytes, copied; or NULL and */
    void *const *args;       /* kernel->param_count pointers, copied from */
    const void *site;        /* return address of the launch, for reports; may be NULL */
};

/* Launches of the host that run one after the other, each after the one before is
 * complete.
 *
 * Life: the caller's memory, from cdp_chain_begin until on_complete is called or
 * cdp_chain_close has returned true.  Before it is closed, on_complete is not called:
 * a chain whose launches are all complete rests, and its thread may append to it again.
 * Memory that ever was a chain must stay readable as long as its thread may append: the
 * append then fails. */
struct cdp_chain {
    _Atomic uintptr_t last; /* see exec/launch/chain.c */
    struct cdp_grid *first; /* const */
    bool by_queue;          /* counted by its queue; whoever starts it sets that */
    /* All launches of a closed chain are complete, with all they launched.  Called once, by
     * a worker; must be brief and must not block. */
    void (*on_complete)(struct cdp_chain *chain);
};

/* A host thread's way into the engine: memory for its launches, which only it takes.
 * Life: from the thread's first call of cdp_engine_submission_queue to its end; then another's. */
struct cdp_submission_queue;
/* The calling thread's; NULL when out of memory. */
struct cdp_submission_queue *cdp_engine_submission_queue(struct cdp_engine *engine);

/* The same, if it has one. */
struct cdp_submission_queue *cdp_engine_own_submission_queue(const struct cdp_engine *engine);

/* A launch, ready but for its place in a chain; NULL when out of memory.  Validates
 * nothing: the caller has. */
struct cdp_grid *cdp_submission_prepare(struct cdp_submission_queue *queue,
                                        const struct cdp_launch *launch) CDP_MUST_CHECK;
/* It will not be launched after all. */
void cdp_submission_drop(struct cdp_submission_queue *queue, struct cdp_grid *grid);

/* Makes a chain of one launch, by the thread of the queue that prepared it; chain's
 * on_complete is the caller's to set.  Open: that thread may append others, until the
 * chain is closed or it opens another. */
void cdp_chain_begin(struct cdp_chain *chain, struct cdp_grid *grid);
void cdp_chain_open(struct cdp_chain *chain, struct cdp_grid *grid, uint64_t key);
/* Starts the first launch. */
void cdp_engine_submit(struct cdp_engine *engine, struct cdp_chain *chain);
/* Appends a launch to the chain that the queue's thread opened last, without a lock.  False
 * if it is closed, not the one of that key, or long enough. */
bool cdp_submission_append(struct cdp_submission_queue *queue, uint64_t key,
                           struct cdp_grid *grid) CDP_MUST_CHECK;
/* Launches in one chain at most, so that who waits for room in a stream gets some. */
enum { CDP_LONGEST_CHAIN = 1024 };
bool cdp_submission_is_full(const struct cdp_submission_queue *queue,
                            const struct cdp_chain *chain);
/* Nothing can be appended any more.  True: the chain rested, and on_complete will not be
 * called. */
bool cdp_chain_close(struct cdp_chain *chain);
/* Whether the chain that the queue's thread opened last, for that key, is open still. */
#define CDP_ANY_KEY UINT64_MAX
bool cdp_submission_is_open(const struct cdp_submission_queue *queue, uint64_t key);
/* Whether all its launches are complete though nobody closed it. */
bool cdp_chain_rests(const struct cdp_chain *chain);

/* ---- Within exec/ ---- */

/* The host's grid is complete: goes on with the next of its chain. */
void cdp_chain_step(struct cdp_executor *executor, struct cdp_grid *grid);

bool cdp_submission_queues_init(struct cdp_engine *engine) CDP_MUST_CHECK;
void cdp_submission_queues_finish(struct cdp_engine *engine);

/* Chains that do not rest. */
uint32_t cdp_chains_pending(struct cdp_engine *engine);

#endif
