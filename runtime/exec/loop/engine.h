/* The engine: a pool of workers that run grids and, for the host's streams, plain tasks.  It does
 * not depend on CUDA's API or on host streams: a function pointer is called when a chain of grids
 * is complete.
 *
 * Threads: any host thread may call these functions at any time between start and stop.  Device
 * code and callbacks may not call them.  Exceptions are cdp_engine_submit, cdp_engine_run_task and
 * cdp_engine_notify, which callbacks may call. */
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
/* Ends the workers.  Running blocks finish first, and waiting blocks are abandoned. */
void cdp_engine_stop(struct cdp_engine *engine);

/* A task that runs task->run(task) on some worker.  The task is the caller's memory, and must live
 * until run is called. */
struct cdp_engine_task {
    void (*run)(struct cdp_engine_task *task);
    void *internal[4]; /* used by the engine while the task is queued */
};
void cdp_engine_run_task(struct cdp_engine *engine, struct cdp_engine_task *task);

/* The calling host thread waits until done(arg) is true.  It runs blocks itself if that is safe.
 * Otherwise it spins briefly and then sleeps. done is called often, by this thread only, and must
 * be cheap.  The thread that makes it true must call cdp_engine_notify afterwards.
 *
 * cdp_engine_wait runs no blocks. cdp_engine_wait_launch is for waits for one chain, which the
 * caller knows to be pending.  It runs blocks if no other chain is pending. cdp_engine_wait_idle is
 * for waits that end only when nothing is pending (a device synchronize).  It runs any block.  In
 * other waits, a thread that ran any block might never return, because the block may wait for a
 * later action of this thread.  With CDP_SEED no form runs blocks, and the worker calls done. */
void cdp_engine_wait(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
void cdp_engine_wait_launch(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
void cdp_engine_wait_idle(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);
/* Waits until the launches of the queue's open chain are complete, like cdp_engine_wait_idle or
 * cdp_engine_wait_launch.  The chain stays open.  Called by the queue's thread. */
void cdp_engine_wait_queue(struct cdp_submission_queue *queue, bool idle);

/* Whether no worker has a thread.  Then device code runs only while a host thread waits. */
bool cdp_engine_is_threadless(const struct cdp_engine *engine);
/* Whether the schedule repeats (CDP_SEED). */
bool cdp_engine_repeats(const struct cdp_engine *engine);
/* Called in each call of the host.  With CDP_SEED the device may run during such calls, and not
 * between them.  If the program has replaced the engine's signal handlers, they are installed again
 * and call the program's. */
void cdp_engine_lend(struct cdp_engine *engine);

/* The number of threads that the engine has started.  They live as long as the engine. */
unsigned cdp_engine_thread_count(const struct cdp_engine *engine);
/* Whether a launch by code of the device failed and its error was never read. */
bool cdp_engine_lost_launch(const struct cdp_engine *engine, unsigned device);
/* The number of workers that programs see. */
unsigned cdp_engine_worker_count(const struct cdp_engine *engine);
struct cdp_engine_limits *cdp_engine_limits(struct cdp_engine *engine, unsigned device);

/* Sets the size of the buffer for the device's output between synchronizations, in bytes.  Older
 * output is lost. 0: no limit.  Called while no grid of the device runs. */
void cdp_engine_limit_output(struct cdp_engine *engine, unsigned device, size_t bytes);

/* Sets the clock rate of the device for clock(); at first it is CDP_CLOCK_KHZ.  Called before the
 * first launch. */
void cdp_engine_set_clock(struct cdp_engine *engine, unsigned device, uint32_t khz);

/* Sets how reports name a status.  Called once after start, before the first launch. */
void cdp_engine_set_error_name(struct cdp_engine *engine, const char *(*name)(enum cdp_status));
/* The same, for a device thread's last error, which is a number of the API. */
void cdp_engine_set_device_error_name(struct cdp_engine *engine, const char *(*name)(int error));
/* Sets the end of the exported shared segments (abi/cdp_abi.h), which every block's shared memory
 * must reach.  It may be called while grids run: it affects blocks that start later.  The caller
 * publishes the kernels that need it afterwards, and calls this from one thread at a time. */
void cdp_engine_set_shared_segments(struct cdp_engine *engine, size_t end);

/* The ranges of shared memory and of device threads' stacks, to classify pointers. */
struct cdp_engine_ranges {
    const char *shared_low, *shared_high, *local_low, *local_high;
};
void cdp_engine_ranges(const struct cdp_engine *engine, struct cdp_engine_ranges *out);

/* The device's sticky fault; CDP_OK if it has none. cdp_engine_clear_fault clears it.  The caller
 * may use that only when nothing is pending on the device. */
enum cdp_status cdp_engine_fault(const struct cdp_engine *engine, unsigned device,
                                 struct cdp_fault *out);
void cdp_engine_clear_fault(struct cdp_engine *engine, unsigned device);

/* With CDP_STATS=1: one line about the launches so far, on stderr. */
void cdp_engine_print_stats(const struct cdp_engine *engine);

/* Writes the buffered output of the device's printf to stdout.  Called at every synchronization of
 * the host. */
void cdp_engine_flush_output(struct cdp_engine *engine, unsigned device);

#endif
