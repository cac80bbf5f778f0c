/* Graphs that kernels launch: environments.
 *
 * A kernel's launch only changes the state below and gives the engine a task. The task queues the
 * graph's steps into streams of the executable graph, and after them a brief call, which counts the
 * steps as complete. Since every launch begins with a task of its own, a graph that launches itself
 * again and again needs no more stack than one that does it once.
 *
 * CUDA allows one launch at a time of an executable graph. So all that a launch by a kernel needs
 * is in the executable graph, and the launch allocates nothing. */
#include "api/graph_run.h"

#include <stdatomic.h>
#include <stddef.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/graph.h"
#include "api/graph_plan.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/lock.h"
#include "exec/report/fault.h"
#include "exec/report/finding.h"

/* CUDA's limits for one launch of a graph. */
enum { MOST_FORGET = 120, MOST_TAILS = 255 };

/* The environment of a launch, of a graph or by the host. */
struct environment {
    struct environment *around; /* NULL: a launch by the host */
    unsigned pending;           /* the graph's own work counts as one; environments within */
};

/* A launch by the host. Life: the data of its hold. */
struct host_launch {
    struct environment environment; /* the first member */
    struct cdp_graph_run *run;
    struct cdp_command *hold;
    struct host_launch *next; /* in run->waiting */
};

/* Graphs in the order of their launches, by next. */
struct tails {
    struct cdp_graph_run *first, *last; /* last is valid only if first is not NULL */
};

/* Handles. */
struct run_streams {
    uint64_t own;          /* of branch 0 */
    uint64_t joined, done; /* a stream and an event, with the race check: see come_after */
};

/* Life: that of its executable graph. The lock below guards what is not const. */
struct cdp_graph_run {
    struct environment environment; /* the first member; of the current launch */
    struct cdp_engine_task task;    /* begins a launch */
    struct cdp_runtime *runtime;    /* const, as the next ones */
    const struct cdp_plan *plan;    /* borrowed: the executable graph's own */
    uint64_t exec;                  /* handle */
    unsigned device;
    struct run_streams streams;      /* const */
    const struct cdp_plan *uploaded; /* what kernels launch: the own plan, or a kept one; or NULL */
    _Atomic bool is_busy; /* launched, or enqueued as a tail; read without the lock while waiting */
    bool is_own_tail;     /* enqueued as a tail of itself */
    struct cdp_graph_run *next;  /* in one list of tails */
    struct host_launch *waiting; /* launches by the host that wait until it is idle; the oldest is
                                    the first */
    /* Of the current launch: */
    const struct cdp_plan *_Atomic running; /* read without the lock while waiting */
    struct cdp_command *hold;               /* of the host's launch around it all */
    uint32_t launcher;                      /* see struct cdp_stream_service */
    unsigned forget_count, tail_count;
    struct tails tails; /* enqueued by it */
    struct tails rest;  /* come after it and its tails, in its place */
};

static struct cdp_lock lock = CDP_LOCK_INITIAL(CDP_RANK_GRAPH_RUNS);
static _Atomic unsigned launchable; /* graphs that kernels launch */
static _Atomic unsigned settling;   /* host threads in cdp_graph_run_settle */

/* ---- Life ---- */

static bool checks_races(void)
{
    return CDP_UNLIKELY(cdp_finding_is_on(CDP_CHECKS_RACE));
}

static cudaError_t make_stream(struct cdp_graph_run *run, uint64_t *stream)
{
    struct cdp_stream_traits traits = {.device = run->device, .flags = CDP_STREAM_NON_BLOCKING};
    return cdp_error_of(cdp_stream_create(run->runtime->streams, &traits, stream));
}

cudaError_t cdp_graph_run_make(struct cdp_runtime *runtime,
                               const struct cdp_graph_run_traits *traits,
                               struct cdp_graph_run **out)
{
    struct cdp_graph_run *run = cdp_alloc_zero(sizeof *run);
    *out = run;
    if (run == NULL) {
        return cudaErrorMemoryAllocation;
    }
    run->runtime = runtime;
    run->plan = traits->plan;
    run->exec = traits->exec;
    run->device = traits->device;
    atomic_fetch_add(&launchable, run->exec != 0);
    cudaError_t error = make_stream(run, &run->streams.own);
    if (error == cudaSuccess && checks_races()) {
        error = make_stream(run, &run->streams.joined);
        error = error != cudaSuccess
                    ? error
                    : cdp_error_of(cdp_event_create(runtime->streams, CDP_ALL_DEVICES,
                                                    CDP_EVENT_DISABLE_TIMING, &run->streams.done));
    }
    if (error != cudaSuccess) {
        cdp_graph_run_free(run);
        *out = NULL;
    }
    return error;
}

void cdp_graph_run_free(struct cdp_graph_run *run)
{
    struct cdp_streams *streams = run->runtime->streams;
    if (run->streams.own != 0) {
        (void)!cdp_stream_destroy(streams, run->streams.own);
    }
    if (run->streams.joined != 0) {
        (void)!cdp_stream_destroy(streams, run->streams.joined);
    }
    if (run->streams.done != 0) {
        (void)!cdp_event_destroy(streams, run->streams.done);
    }
    atomic_fetch_sub(&launchable, run->exec != 0);
    cdp_free(run);
}

bool cdp_graph_run_exists(void)
{
    /* Relaxed: a program makes a graph before another one launches it. */
    return atomic_load_explicit(&launchable, memory_order_relaxed) != 0;
}

void cdp_graph_run_upload(struct cdp_graph_run *run)
{
    cdp_lock_acquire(&lock);
    run->uploaded = run->plan;
    cdp_lock_release(&lock);
}

bool cdp_graph_run_is_current(const struct cdp_graph_run *run)
{
    cdp_lock_acquire(&lock);
    bool is_current = run->exec != 0 && run->uploaded == run->plan;
    cdp_lock_release(&lock);
    return is_current;
}

struct settled {
    const struct cdp_graph_run *run;
    const struct cdp_plan *kept;
};

static bool is_settled(void *arg)
{
    const struct settled *wanted = arg;
    return !atomic_load(&wanted->run->is_busy) ||
           (wanted->kept != NULL && atomic_load(&wanted->run->running) == wanted->kept);
}

void cdp_graph_run_settle(struct cdp_graph_run *run, const struct cdp_plan *kept)
{
    struct settled wanted = {.run = run, .kept = kept};
    cdp_lock_acquire(&lock);
    run->uploaded = kept;
    cdp_lock_release(&lock);
    /* Before is_busy is read. The thread that makes it idle, or begins a launch of the kept plan
     * after one of another, reads settling after that. */
    atomic_fetch_add(&settling, 1);
    cdp_engine_wait(run->runtime->engine, is_settled, &wanted);
    atomic_fetch_sub(&settling, 1);
    /* The thread that made it idle may still have the lock. */
    cdp_lock_acquire(&lock);
    cdp_lock_release(&lock);
}

uint64_t cdp_graph_run_exec(const struct cdp_graph_run *run)
{
    return run->exec;
}

/* ---- The race check ----
 *
 * What comes after an environment comes after all graphs in it. By the order of calls this is so
 * anyway; here it is told to the streams. The event done is recorded in the stream joined, which
 * waits for the graph's own work, and for the event of each environment within when that is
 * complete. */

static void join(const struct cdp_graph_run *run, const struct cdp_graph_run *other)
{
    struct cdp_streams *streams = run->runtime->streams;
    if (checks_races()) {
        (void)!cdp_stream_wait_event(streams, run->streams.joined, other->streams.done);
    }
}

/* At the end of the graph's own work, and of its environment. */
static void record(const struct cdp_graph_run *run, uint64_t stream)
{
    if (checks_races()) {
        (void)!cdp_event_record(run->runtime->streams, run->streams.done, stream);
    }
}

static void serve(const struct cdp_graph_run *run, uint64_t stream)
{
    struct cdp_stream_service service = {.hold = run->hold, .launcher = run->launcher};
    (void)!cdp_stream_serve_hold(run->runtime->streams, stream, &service);
}

/* The graph comes after another one, whose place it takes. */
static void come_after(const struct cdp_graph_run *run, const struct cdp_graph_run *other)
{
    if (checks_races()) {
        serve(run, run->streams.own);
        (void)!cdp_stream_wait_event(run->runtime->streams, run->streams.own, other->streams.done);
    }
}

/* ---- One launch of a graph ---- */

static void piece_ended(struct environment *environment);

static struct cdp_graph_run *run_of(struct cdp_engine_task *task)
{
    return (struct cdp_graph_run *)(void *)((char *)task - offsetof(struct cdp_graph_run, task));
}

/* All steps are complete. */
static void steps_ended(void *data)
{
    struct cdp_graph_run *run = *(struct cdp_graph_run **)data;
    if (checks_races()) {
        record(run, run->streams.own);
        join(run, run);
    }
    piece_ended(&run->environment);
}

static enum cdp_status queue_end(struct cdp_graph_run *run)
{
    struct cdp_stream_call end = {
        .run = steps_ended, .data = &run, .size = sizeof run, .brief = true};
    return cdp_stream_call(run->runtime->streams, run->streams.own, &end);
}

static struct cdp_plan_launch launch_of(struct cdp_graph_run *run)
{
    return (struct cdp_plan_launch){.runtime = run->runtime,
                                    .plan = atomic_load(&run->running),
                                    .stream = run->streams.own,
                                    .service = {.hold = run->hold, .launcher = run->launcher},
                                    .environment = run};
}

/* Steps that are queued cannot be taken back, and refer to the graph. So the end of the launch must
 * come after them. Tries this again and again: commands that end free their memory. */
static void end_failed(struct cdp_engine_task *task)
{
    struct cdp_graph_run *run = run_of(task);
    struct cdp_engine *engine = run->runtime->engine;
    struct cdp_plan_launch at = launch_of(run);
    if (cdp_plan_gather(&at) != CDP_OK || queue_end(run) != CDP_OK) {
        cdp_engine_run_task(engine, task);
    }
}

static void begin(struct cdp_engine_task *task)
{
    struct cdp_graph_run *run = run_of(task);
    struct cdp_runtime *runtime = run->runtime;
    struct cdp_plan_launch at = launch_of(run);
    if (checks_races()) {
        serve(run, run->streams.joined);
    }
    unsigned device = run->device;
    /* After the second call another thread may use the graph. */
    if (cdp_plan_launch(&at) != CDP_OK || queue_end(run) != CDP_OK) {
        cdp_fault_set(runtime->engine, device, CDP_FAULT_LAUNCH, "%s",
                      "no memory to queue a graph that kernels may launch");
        task->run = end_failed;
        cdp_engine_run_task(runtime->engine, task);
    }
}

/* A launch in an environment, which counts it. The graph is busy. */
static void enter(struct cdp_graph_run *run, struct environment *around) CDP_NEEDS(&lock)
{
    atomic_store(&run->running, run->uploaded != NULL ? run->uploaded : run->plan);
    run->environment = (struct environment){.around = around, .pending = 1};
    run->forget_count = run->tail_count = 0;
    run->tails.first = run->rest.first = NULL;
}

static void start(struct cdp_graph_run *run)
{
    run->task.run = begin;
    cdp_engine_run_task(run->runtime->engine, &run->task);
}

/* The graph is idle, or a launch by the host has waited for that. */
static void begin_host_launch(struct cdp_graph_run *run, struct host_launch *launch)
    CDP_NEEDS(&lock)
{
    atomic_store_explicit(&run->is_busy, true, memory_order_relaxed);
    run->hold = launch->hold;
    run->launcher = 0;
    enter(run, &launch->environment);
}

/* ---- The end of environments ---- */

static void append(struct tails *list, const struct tails *more)
{
    if (more->first != NULL && list->first != NULL) {
        list->last->next = more->first;
        list->last = more->last;
    } else if (more->first != NULL) {
        *list = *more;
    }
}

/* The graph that takes the place of a complete one; NULL: none. */
static struct cdp_graph_run *take_next(const struct cdp_graph_run *run) CDP_NEEDS(&lock)
{
    struct tails all = run->tails;
    append(&all, &run->rest);
    struct cdp_graph_run *next = all.first;
    if (next != NULL) {
        struct environment *around = run->environment.around;
        all.first = next == all.last ? NULL : next->next;
        next->hold = run->hold;
        next->launcher = 0;
        enter(next, around);
        next->rest = all;
    }
    return next;
}

/* The launch of the graph is over, unless it is a tail of itself. True: it has been launched again,
 * by the host. */
static bool leave(struct cdp_graph_run *run) CDP_NEEDS(&lock)
{
    struct host_launch *waiting = run->waiting;
    if (run->is_own_tail) { /* now it is an ordinary tail, or runs again */
        run->is_own_tail = false;
    } else if (waiting != NULL) {
        run->waiting = waiting->next;
        begin_host_launch(run, waiting);
        return true;
    } else {
        /* Sequentially consistent, as the accesses of settling: see cdp_graph_run_settle. */
        atomic_store(&run->is_busy, false);
    }
    return false;
}

/* The environment of a graph's launch is complete. Returns the one around it, if that has one part
 * less. */
static struct environment *graph_ended(struct cdp_graph_run *run)
{
    struct cdp_engine *engine = run->runtime->engine;
    struct environment *around = run->environment.around;
    record(run, run->streams.joined);
    cdp_lock_acquire(&lock);
    struct cdp_graph_run *next = take_next(run);
    cdp_lock_release(&lock);
    if (next != NULL) {
        come_after(next, run);
    } else if (around->around != NULL) {
        join((const struct cdp_graph_run *)(const void *)around, run);
    }
    cdp_lock_acquire(&lock);
    bool runs_again = leave(run);
    cdp_lock_release(&lock); /* now the program may end it, if it is idle */
    if (runs_again) {
        start(run);
    }
    if (next != NULL) {
        start(next);
    }
    if (atomic_load(&settling) != 0) {
        cdp_engine_notify(engine);
    }
    return next == NULL ? around : NULL;
}

/* A part of the environment is complete. So that of a graph around it may be, and so on. */
static void piece_ended(struct environment *environment)
{
    while (environment != NULL) {
        cdp_lock_acquire(&lock);
        bool is_over = --environment->pending == 0;
        cdp_lock_release(&lock);
        if (!is_over) {
            return;
        }
        if (environment->around == NULL) {
            cdp_stream_end_hold(((struct host_launch *)(void *)environment)->hold);
            return;
        }
        environment = graph_ended((struct cdp_graph_run *)(void *)environment);
    }
}

/* ---- Launches by the host ---- */

static bool begin_hold(void *data, struct cdp_command *hold)
{
    struct host_launch *launch = data;
    struct cdp_graph_run *run = launch->run;
    launch->environment.pending = 1;
    launch->hold = hold;
    cdp_lock_acquire(&lock);
    bool waits = atomic_load_explicit(&run->is_busy, memory_order_relaxed);
    if (waits) {
        struct host_launch **link = &run->waiting;
        while (*link != NULL) {
            link = &(*link)->next;
        }
        *link = launch;
    } else {
        begin_host_launch(run, launch);
    }
    cdp_lock_release(&lock);
    if (!waits) {
        start(run);
    }
    return false;
}

enum cdp_status cdp_graph_run_queue(struct cdp_graph_run *run, uint64_t stream)
{
    struct host_launch launch = {.run = run};
    struct cdp_stream_call call = {.begin = begin_hold, .data = &launch, .size = sizeof launch};
    cdp_graph_run_upload(run);
    return cdp_stream_call(run->runtime->streams, stream, &call);
}

/* ---- Launches by kernels ---- */

static cudaError_t refuse(struct cdp_graph_launch *launch, cudaError_t error, const char *reason)
{
    launch->reason = reason;
    return error;
}

static cudaError_t check_state(const struct cdp_graph_run *run, struct cdp_graph_launch *launch)
    CDP_NEEDS(&lock)
{
    bool is_own = launch->way == CDP_GRAPH_TAIL && run == launch->by;
    if (run->uploaded == NULL) {
        return refuse(launch, cudaErrorInvalidValue,
                      "the graph is not uploaded: call cudaGraphUpload, or launch it by the host");
    }
    if (run->device != launch->by->device) {
        return refuse(launch, cudaErrorInvalidValue, "the graph is of another device");
    }
    if (is_own ? run->is_own_tail : atomic_load_explicit(&run->is_busy, memory_order_relaxed)) {
        return refuse(launch, cudaErrorInvalidValue,
                      is_own ? "the graph is a tail of itself already"
                             : "a launch of the graph is pending; one executable graph has one "
                               "launch at a time");
    }
    return cudaSuccess;
}

static void enqueue(struct cdp_graph_run *run, struct cdp_graph_run *by) CDP_NEEDS(&lock)
{
    run->next = NULL;
    append(&by->tails, &(struct tails){.first = run, .last = run});
    by->tail_count++;
    run->is_own_tail = run == by;
}

cudaError_t cdp_graph_run_admit(struct cdp_graph_run *run, struct cdp_graph_launch *launch)
{
    struct cdp_graph_run *by = launch->by;
    bool is_tail = launch->way == CDP_GRAPH_TAIL;
    cdp_lock_acquire(&lock);
    cudaError_t error = check_state(run, launch);
    if (error == cudaSuccess && is_tail && by->tail_count == MOST_TAILS) {
        error = refuse(launch, cudaErrorInvalidValue, "a graph has at most 255 tail launches");
    } else if (error == cudaSuccess && !is_tail && by->forget_count == MOST_FORGET) {
        error = refuse(launch, cudaErrorInvalidValue,
                       "a graph launches at most 120 graphs that are no tails");
    }
    if (error == cudaSuccess) {
        atomic_store_explicit(&run->is_busy, true, memory_order_relaxed);
    }
    if (error == cudaSuccess && is_tail) {
        enqueue(run, by);
    } else if (error == cudaSuccess) {
        struct environment *around =
            launch->way == CDP_GRAPH_SIBLING ? by->environment.around : &by->environment;
        around->pending++;
        by->forget_count++;
        run->hold = by->hold;
        run->launcher = launch->launcher;
        enter(run, around);
    }
    cdp_lock_release(&lock);
    return error;
}

void cdp_graph_run_start(struct cdp_graph_run *run)
{
    start(run);
}
