/* The lines of CDP_PROGRESS, and the answer to SIGUSR1. */
#include "exec/report/progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exec/report/blocks.h"
#include "exec/report/deadlock.h"
#include "exec/report/recorder.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "os/os.h"

bool cdp_progress_is_on;

/* The engine that prints; there is one. */
static struct {
    pthread_t thread;
    bool has_thread;
    _Atomic uint32_t stopping; /* futex */
    uint64_t start;
} printer;

/* For the signal handler. */
static _Atomic(struct cdp_engine *) answers;

/* ---- Counting ---- */

static void add(_Atomic uint64_t *counter, uint64_t amount)
{
    uint64_t old = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, old + amount, memory_order_relaxed);
}

void cdp_progress_launched(uint32_t blocks, uint32_t depth)
{
    struct cdp_recorder *own = cdp_recorder_own();
    if (own != NULL) {
        add(&own->progress.grids, 1);
        add(&own->progress.blocks, blocks);
        if (depth > atomic_load_explicit(&own->progress.deepest, memory_order_relaxed)) {
            atomic_store_explicit(&own->progress.deepest, depth, memory_order_relaxed);
        }
    }
}

void cdp_progress_grid_ended(void)
{
    struct cdp_recorder *own = cdp_recorder_own();
    if (own != NULL) {
        add(&own->progress.grids_ended, 1);
    }
}

void cdp_progress_blocks_ended(uint32_t blocks)
{
    struct cdp_recorder *own = cdp_recorder_own();
    if (own != NULL) {
        add(&own->progress.blocks_ended, blocks);
    }
}

/* ---- The lines ---- */

/* On a terminal each line replaces the one before. */
static void print_line(const struct cdp_engine *engine, bool is_last)
{
    uint64_t grids = 0, grids_ended = 0, blocks = 0, blocks_ended = 0;
    uint32_t deepest = 0;
    for (const struct cdp_recorder *r = cdp_recorder_all(); r != NULL; r = r->next) {
        const struct cdp_progress_counts *counts = &r->progress;
        /* What has ended first: it is never more than what was launched. */
        grids_ended += atomic_load_explicit(&counts->grids_ended, memory_order_relaxed);
        blocks_ended += atomic_load_explicit(&counts->blocks_ended, memory_order_relaxed);
        uint32_t depth = atomic_load_explicit(&counts->deepest, memory_order_relaxed);
        deepest = depth > deepest ? depth : deepest;
    }
    for (const struct cdp_recorder *r = cdp_recorder_all(); r != NULL; r = r->next) {
        grids += atomic_load_explicit(&r->progress.grids, memory_order_relaxed);
        blocks += atomic_load_explicit(&r->progress.blocks, memory_order_relaxed);
    }
    char line[200];
    snprintf(line, sizeof line,
             "cdp: %3u s  grids %" PRIu64 " of %" PRIu64 "  blocks %" PRIu64 " of %" PRIu64
             "  device launches pending %u  depth %u",
             (unsigned)((cdp_os_now() - printer.start) / 1000000000u), grids_ended, grids,
             blocks_ended, blocks, atomic_load(&engine->launch_memory.pending), deepest);
    bool is_terminal = isatty(STDERR_FILENO) != 0;
    fprintf(stderr, "%s%s%s", is_terminal ? "\r\033[K" : "", line,
            is_terminal && !is_last ? "" : "\n");
    fflush(stderr);
}

static void *print_lines(void *engine)
{
    enum { SECOND_NS = 1000000000 };
    while (atomic_load(&printer.stopping) == 0) {
        cdp_os_wait_for(&printer.stopping, 0, SECOND_NS);
        if (atomic_load(&printer.stopping) == 0) {
            print_line(engine, false);
        }
    }
    return NULL;
}

/* ---- SIGUSR1 ---- */

static void print_block(void *unused, const struct cdp_block *block,
                        const struct cdp_fiber *running)
{
    (void)unused;
    cdp_deadlock_print(block, running);
}

/* The task in the mailbox of a worker. */
static void show_blocks(struct cdp_worker *worker, struct cdp_task *task, uint32_t first,
                        uint32_t last)
{
    (void)task, (void)first, (void)last;
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    const struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    atomic_store(&executor->watch.shows, false);
    flockfile(stderr); /* the blocks of one worker after those of another */
    cdp_blocks_visit(executor, self->busy ? self : NULL, print_block, NULL);
    funlockfile(stderr);
}

/* Only posts: each worker prints its own blocks, because no other thread may access them. */
static void on_signal(int signal)
{
    (void)signal;
    static const char text[] = "cdp: SIGUSR1: the blocks of device code that have started:\n";
    struct cdp_engine *engine = atomic_load(&answers);
    if (engine == NULL) {
        return;
    }
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    for (unsigned i = 0; i < engine->pool.count; i++) {
        struct cdp_executor *executor = engine->executors[i];
        if (!atomic_exchange(&executor->watch.shows, true)) {
            executor->watch.show_task.run = show_blocks;
            cdp_worker_post(&executor->worker, &executor->watch.show_task);
        }
    }
}

static void answer_signal(void)
{
    struct sigaction old;
    struct sigaction mine = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigfillset(&mine.sa_mask);
    if (sigaction(SIGUSR1, NULL, &old) == 0 && (old.sa_flags & SA_SIGINFO) == 0 &&
        old.sa_handler == SIG_DFL) {
        (void)sigaction(SIGUSR1, &mine, NULL);
    }
}

/* ---- Start and end ---- */

void cdp_progress_start(struct cdp_engine *engine)
{
    atomic_store(&answers, engine);
    answer_signal();
    if (!cdp_progress_is_on || printer.has_thread) {
        return;
    }
    sigset_t all, old;
    sigfillset(&all);
    printer.start = cdp_os_now();
    pthread_sigmask(SIG_SETMASK, &all, &old);
    printer.has_thread = pthread_create(&printer.thread, NULL, print_lines, engine) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!printer.has_thread) {
        fprintf(stderr, "cdp: CDP_PROGRESS has no effect, as no thread can be started\n");
    }
}

void cdp_progress_stop(struct cdp_engine *engine)
{
    struct cdp_engine *expected = engine;
    (void)atomic_compare_exchange_strong(&answers, &expected, NULL);
    if (printer.has_thread) {
        atomic_store(&printer.stopping, 1);
        cdp_os_wake(&printer.stopping, 1);
        pthread_join(printer.thread, NULL);
        printer.has_thread = false;
        atomic_store(&printer.stopping, 0);
    }
}

void cdp_progress_finish(const struct cdp_engine *engine)
{
    if (cdp_progress_is_on) {
        print_line(engine, true);
    }
}
