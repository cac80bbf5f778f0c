/* The host's launches.  Their records come from the launching thread's queue and form chains.
 *
 * Consecutive launches of one thread into one stream make a chain.  An append takes two atomic
 * operations of the host and none of the worker.  The worker runs one launch after the other, as in
 * a block's NULL stream (launch/grid.h). */
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
    const struct cdp_abi_kernel *kernel; /* borrowed; never freed */
    uint32_t grid_dim[3], block_dim[3];
    uint32_t dynamic_shared; /* bytes */
    const void *params;      /* kernel->param_size bytes, copied; or NULL and */
    void *const *args;       /* kernel->param_count pointers, copied from */
    const void *site;        /* return address of the launch, for reports; may be NULL */
    uint32_t cluster_dim[3]; /* blocks of a cluster; 0: no clusters */
    uint8_t device;          /* its number */
    bool is_of_graph;        /* in a stream of any device */
    bool is_cooperative;     /* all blocks are resident at the same time, and may meet */
    void *environment;       /* see cdp_grid_environment; NULL: none */
};

/* Launches of the host that run one after the other.  Each starts when the one before is complete.
 *
 * Life: the caller's memory, from cdp_chain_begin until on_complete is called or cdp_chain_close
 * has returned true.  on_complete is not called before the chain is closed.  An open chain whose
 * launches are all complete is at rest, and its thread may append to it again.  The memory of a
 * chain must stay readable as long as its thread may try to append, even if it is no chain any
 * more.  Then the append fails. */
struct cdp_chain {
    _Atomic uintptr_t last; /* see exec/launch/chain.c */
    struct cdp_grid *first; /* const */
    bool by_queue; /* its queue counts it, and not the engine; written by the thread that starts it
                    */
    /* Called once, by a worker, when all launches of a closed chain are complete, with all grids
     * that they launched.  Must be brief and must not block. */
    void (*on_complete)(struct cdp_chain *chain);
};

/* A host thread's launch records, and the chain that it appends to.  Only this thread takes records
 * from it.  Life: from the thread's first call of cdp_engine_submission_queue to the thread's end.
 * Then another thread may get it. */
struct cdp_submission_queue;
/* The calling thread's queue, allocated at the first call.  NULL when out of memory. */
struct cdp_submission_queue *cdp_engine_submission_queue(struct cdp_engine *engine);

/* The calling thread's queue; NULL if it has none. */
struct cdp_submission_queue *cdp_engine_own_submission_queue(const struct cdp_engine *engine);

/* A launch that is complete except for its place in a chain.  NULL when out of memory.  The caller
 * has validated the launch. */
struct cdp_grid *cdp_submission_prepare(struct cdp_submission_queue *queue,
                                        const struct cdp_launch *launch) CDP_MUST_CHECK;
/* Gives back a prepared launch that is not submitted. */
void cdp_submission_drop(struct cdp_submission_queue *queue, struct cdp_grid *grid);

/* Makes a chain of one launch.  Called by the thread whose queue prepared the launch.  The caller
 * sets on_complete. cdp_chain_open: the thread may append other launches, until the chain is closed
 * or the thread opens another chain. */
void cdp_chain_begin(struct cdp_chain *chain, struct cdp_grid *grid);
void cdp_chain_open(struct cdp_chain *chain, struct cdp_grid *grid, uint64_t key);
/* Starts the first launch. */
void cdp_engine_submit(struct cdp_engine *engine, struct cdp_chain *chain);
/* Appends a launch to the chain that the queue's thread opened last, without a lock.  False if the
 * chain is closed, has another key, or has CDP_LONGEST_CHAIN launches. */
bool cdp_submission_append(struct cdp_submission_queue *queue, uint64_t key,
                           struct cdp_grid *grid) CDP_MUST_CHECK;
/* Most launches in one chain.  The limit lets chains end, so a thread that waits for space in a
 * stream gets it. */
enum { CDP_LONGEST_CHAIN = 1024 };
bool cdp_submission_is_full(const struct cdp_submission_queue *queue,
                            const struct cdp_chain *chain);
/* Closes the chain: no more launches can be appended.  True: the chain was at rest, and on_complete
 * will not be called. */
bool cdp_chain_close(struct cdp_chain *chain);
/* Whether the chain that the queue's thread opened last has that key, in the bits of the mask, and
 * is still open. */
bool cdp_submission_is_open(const struct cdp_submission_queue *queue, uint64_t key, uint64_t mask);
/* Whether the chain is open and all its launches are complete. */
bool cdp_chain_rests(const struct cdp_chain *chain);

/* ---- Within exec/ ---- */

/* A grid of the host is complete: starts the next one of its chain. */
void cdp_chain_step(struct cdp_executor *executor, struct cdp_grid *grid);

bool cdp_submission_queues_init(struct cdp_engine *engine) CDP_MUST_CHECK;
void cdp_submission_queues_finish(struct cdp_engine *engine);

/* The number of chains that have incomplete launches. */
uint32_t cdp_chains_pending(struct cdp_engine *engine);

#endif
