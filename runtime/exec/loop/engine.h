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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/options.h"
#include "base/status.h"
#include "exec/launch/notify.h"
#include "exec/state/limits.h"

struct cdp_engine;
struct cdp_submission_queue;

/* Starts the workers.  Borrows options until stop. */
enum cdp_status cdp_engine_start(const struct cdp_options *options,
                                 struct cdp_engine **out) CDP_MUST_CHECK;
/* Ends the workers; running blocks finish first, waiting ones are abandoned. */
void cdp_engine_stop(struct cdp_engine *engine);

/* Runs task->run(task) on some worker.  The task is the caller's memory and must
 * live until run is called. */
struct cdp_engine_task {
    void (*run)(struct cdp_engine_task *task);
    void *internal[4]; /* the engine's, while queued */
};
void cdp_engine_run_task(struct cdp_engine *engine, struct cdp_engine_task *task);

/* Blocks the calling host thread until done(arg) is true: it runs blocks itself
 * where that is safe, else it spins briefly and then sleeps.  done is called often, by
 * this thread only, and must be cheap; whoever makes it true must call
 * cdp_engine_notify afterwards.
 *
 * The first form runs no blocks.  The second is for waits for one chain, which the caller
 * knows to be pending: it runs blocks if no other chain is pending.  The third is for waits
 * that end only when nothing at all is pending (a device synchronize): it runs any block.
 * In other waits a thread that ran any block might never come back: the block may wait for
 * what this thread does next.  With CDP_SEED no form runs blocks, and the worker calls done. */
void cdp_engine_wait(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
void cdp_engine_wait_launch(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
void cdp_engine_wait_idle(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
/* Waits until the launches of the queue's open chain are complete, as cdp_engine_wait_idle, or
 * _launch, does, and leaves it open.  For the queue's thread. */
void cdp_engine_wait_queue(struct cdp_submission_queue *queue, bool idle);

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

/* Set once after start, before the first launch: how reports name a status. */
void cdp_engine_set_error_name(struct cdp_engine *engine, const char *(*name)(enum cdp_status));
/* As above, for a device thread's last error, which is the api's number. */
void cdp_engine_set_device_error_name(struct cdp_engine *engine, const char *(*name)(int error));
/* Sets the end of the exported shared segments (abi/cdp_abi.h), which every block's shared memory
 * must reach.  Also while grids run: blocks that start later reach it.  The caller publishes the
 * kernels that need it afterwards, and calls this from one thread at a time. */
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
