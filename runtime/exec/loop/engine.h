/* The engine: a pool of workers that runs grids and, for the host's streams,
 * plain tasks.  It knows no CUDA and no host streams: what must happen after a
 * grid is told by a function pointer.
 *
 * Threads: any host thread may call the functions here at any time between
 * start and stop; none may be called from device code or from a callback, save
 * cdp_engine_submit, cdp_engine_run_task and cdp_engine_notify, which callbacks may
 * call. */
#ifndef CDP_EXEC_LOOP_ENGINE_H
#define CDP_EXEC_LOOP_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "base/options.h"
#include "base/status.h"

struct cdp_engine;

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
    bool by_lane;           /* counted by its lane; whoever starts it sets that */
    /* All launches of a closed chain are complete, with all they launched.  Called once, by
     * a worker; must be brief and must not block. */
    void (*on_complete)(struct cdp_chain *chain);
};

/* Device limits the engine enforces.  Any host thread may set them, also while other threads'
 * kernels run, which then see the old or the new value. */
struct cdp_engine_limits {
    _Atomic uint32_t sync_depth;       /* deepest level + 1 that may synchronize; default 2 */
    _Atomic uint32_t pending_launches; /* 2048; enforced only with CDP_LAUNCH_POOL=fixed */
    _Atomic size_t printf_fifo;        /* bytes */
    _Atomic size_t stack_size;         /* as the program sees it; 1024 */
};

/* A sticky fault of device code. */
struct cdp_fault {
    enum cdp_status status; /* CDP_OK: none */
    char text[512];         /* one line: what, kernel, block, thread */
};

/* Starts the workers.  Borrows options until stop. */
enum cdp_status cdp_engine_start(const struct cdp_options *options,
                                 struct cdp_engine **out) CDP_MUST_CHECK;
/* Ends the workers; running blocks finish first, waiting ones are abandoned. */
void cdp_engine_stop(struct cdp_engine *engine);

/* A host thread's way into the engine: memory for its launches, which only it takes.
 * Life: from the thread's first call of cdp_engine_lane to its end; then another's. */
struct cdp_lane;
/* The calling thread's; NULL when out of memory. */
struct cdp_lane *cdp_engine_lane(struct cdp_engine *engine);

/* The same, if it has one. */
struct cdp_lane *cdp_engine_own_lane(const struct cdp_engine *engine);

/* A launch, ready but for its place in a chain; NULL when out of memory.  Validates
 * nothing: the caller has. */
struct cdp_grid;
struct cdp_grid *cdp_lane_prepare(struct cdp_lane *lane,
                                  const struct cdp_launch *launch) CDP_MUST_CHECK;
/* It will not be launched after all. */
void cdp_lane_drop(struct cdp_lane *lane, struct cdp_grid *grid);

/* Makes a chain of one launch, by the thread of the lane that prepared it; chain's
 * on_complete is the caller's to set.  Open: that thread may append others, until the
 * chain is closed or it opens another. */
void cdp_chain_begin(struct cdp_chain *chain, struct cdp_grid *grid);
void cdp_chain_open(struct cdp_chain *chain, struct cdp_grid *grid, uint64_t key);
/* Starts the first launch. */
void cdp_engine_submit(struct cdp_engine *engine, struct cdp_chain *chain);
/* Appends a launch to the chain that the lane's thread opened last, without a lock.  False
 * if it is closed, not the one of that key, or long enough. */
bool cdp_lane_append(struct cdp_lane *lane, uint64_t key, struct cdp_grid *grid) CDP_MUST_CHECK;
/* Launches in one chain at most, so that who waits for room in a stream gets some. */
enum { CDP_LONGEST_CHAIN = 1024 };
bool cdp_lane_is_full(const struct cdp_lane *lane, const struct cdp_chain *chain);
/* Nothing can be appended any more.  True: the chain rested, and on_complete will not be
 * called. */
bool cdp_chain_close(struct cdp_chain *chain);
/* Whether the chain that the lane's thread opened last, for that key, is open still. */
#define CDP_ANY_KEY UINT64_MAX
bool cdp_lane_is_open(const struct cdp_lane *lane, uint64_t key);
/* Waits until its launches are complete, as cdp_engine_wait_idle, or _launch, does, and
 * leaves it open.  For the lane's thread, when it is open. */
void cdp_lane_wait(struct cdp_lane *lane, bool idle);
/* Whether all its launches are complete though nobody closed it. */
bool cdp_chain_rests(const struct cdp_chain *chain);

/* Runs task->run(task) on some worker.  The task is the caller's memory and must
 * live until run is called. */
struct cdp_engine_task {
    void (*run)(struct cdp_engine_task *task);
    void *internal[4]; /* the engine's, while queued */
};
void cdp_engine_run_task(struct cdp_engine *engine, struct cdp_engine_task *task);

/* Blocks the calling host thread until done(arg) is true: runs blocks itself
 * where that is safe, spins briefly, then sleeps.  done is called often, from
 * this thread only, and must be cheap; whoever makes it true must call
 * cdp_engine_notify afterwards.  The first form runs no blocks.  The second is for
 * waits for one chain, which the caller knows to be pending: it runs blocks if no
 * other chain is.  The third is for waits that end only when nothing at all is
 * pending (a device synchronize): it runs any block.  A thread that ran a block of
 * something else might never come back: that may wait for what the thread does next.
 * With CDP_SEED none runs blocks, and done is called by the worker. */
void cdp_engine_wait(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
void cdp_engine_wait_launch(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
void cdp_engine_wait_idle(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
void cdp_engine_notify(struct cdp_engine *engine);

/* Whether no worker has a thread: then nothing goes on but while a host thread waits. */
bool cdp_engine_is_threadless(const struct cdp_engine *engine);
/* Whether the schedule is CDP_SEED's. */
bool cdp_engine_repeats(const struct cdp_engine *engine);
/* A call of the host: with CDP_SEED the device may go on here, and not in between.  Signal handlers
 * that the program has put in the place of the engine's are put behind those, if need be. */
void cdp_engine_lend(struct cdp_engine *engine);

/* Threads that the engine started and that live for as long as it does. */
unsigned cdp_engine_thread_count(const struct cdp_engine *engine);
/* Whether a launch by device code failed and nobody read its error. */
bool cdp_engine_lost_launch(const struct cdp_engine *engine);
/* Number of worker slots. */
unsigned cdp_engine_worker_count(const struct cdp_engine *engine);
struct cdp_engine_limits *cdp_engine_limits(struct cdp_engine *engine);

/* Device output kept between synchronizations, in bytes: what is older is lost.  0: all of
 * it.  Set while nothing runs. */
void cdp_engine_limit_output(struct cdp_engine *engine, size_t bytes);

/* Set once after start, before the first launch: how reports name a status, and the
 * end of the exported shared segments (abi/cdp_abi.h), which every block's shared
 * memory must reach. */
void cdp_engine_set_error_name(struct cdp_engine *engine, const char *(*name)(enum cdp_status));
/* As above, for a device thread's last error, which is the api's number. */
void cdp_engine_set_device_error_name(struct cdp_engine *engine, const char *(*name)(int error));
void cdp_engine_set_shared_segments(struct cdp_engine *engine, size_t end);

/* The ranges of shared memory and of device threads' stacks, for classifying pointers. */
struct cdp_engine_ranges {
    const char *shared_low, *shared_high, *local_low, *local_high;
};
void cdp_engine_ranges(const struct cdp_engine *engine, struct cdp_engine_ranges *out);

/* The sticky fault, CDP_OK if none; cleared by cdp_engine_clear_fault, which the
 * caller may use only once nothing is pending. */
enum cdp_status cdp_engine_fault(const struct cdp_engine *engine, struct cdp_fault *out);
void cdp_engine_clear_fault(struct cdp_engine *engine);

/* With CDP_STATS=1: one line about the launches so far, on stderr. */
void cdp_engine_tell_stats(const struct cdp_engine *engine);

/* Writes what device printf left so far to stdout.  Called at every host
 * synchronization point. */
void cdp_engine_flush_output(struct cdp_engine *engine);

#endif
