/* The engine seen from the host: start, stop, launch, wait. */
#include "exec/loop/engine.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/block/inside.h"
#include "exec/block/cluster.h"
#include "exec/block/batch.h"
#include "exec/block/block.h"
#include "exec/block/completion.h"
#include "exec/block/executor.h"
#include "exec/block/named_barrier.h"
#include "exec/block/poll.h"
#include "exec/block/warp.h"
#include "exec/launch/chain.h"
#include "exec/launch/scope_object.h"
#include "exec/launch/launch_memory.h"
#include "exec/launch/notify.h"
#include "exec/loop/address_space.h"
#include "exec/loop/brief.h"
#include "exec/loop/loop.h"
#include "exec/loop/replay.h"
#include "exec/loop/schedule.h"
#include "exec/loop/wait.h"
#include "exec/report/fault.h"
#include "exec/report/steps.h"
#include "exec/report/finding.h"
#include "exec/report/print.h"
#include "exec/report/profile.h"
#include "exec/report/progress.h"
#include "exec/report/races.h"
#include "exec/report/stats.h"
#include "exec/report/watchdog.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "fiber/sanitizer.h"
#include "mem/written.h"
#include "os/cpu.h"
#include "os/os.h"
#include "os/signals.h"
#include "sched/park.h"

/* Frees the unused blocks of the executor and of the spares. */
static void free_blocks(struct cdp_executor *executor)
{
    struct cdp_spares *spares = &executor->engine->launch_memory.spares;
    struct cdp_block *list = executor->blocks.free;
    do {
        (void)cdp_blocks_destroy(list);
        list = cdp_spares_take(spares, CDP_SPARE_BLOCKS);
    } while (list != NULL);
    executor->blocks.free = NULL;
}

static void destroy_executors(struct cdp_engine *engine)
{
    for (unsigned i = 0; i < engine->executor_count && engine->executors != NULL; i++) {
        if (engine->executors[i] != NULL) {
            free_blocks(engine->executors[i]);
            cdp_inside_finish(engine->executors[i]);
            cdp_free(engine->executors[i]);
        }
    }
    cdp_free(engine->executors);
}

/* A lone worker has its own thread.  With more workers, the host thread that waits runs executor 0.
 * So waiting costs no CPU time and no wake-up. */
static bool create_executors(struct cdp_engine *engine)
{
    unsigned count = engine->executor_count = engine->pool.count;
    engine->executors = cdp_alloc_zero(count * sizeof(struct cdp_executor *));
    if (engine->executors == NULL) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        struct cdp_executor *executor =
            cdp_alloc_aligned(CDP_CACHE_LINE, sizeof(struct cdp_executor));
        if (executor == NULL) {
            return false;
        }
        engine->executors[i] = executor;
        executor->worker.has_thread = i > 0 || count == 1;
        if (!cdp_executor_init(executor, engine, cdp_loop_of(engine->schedule))) {
            return false;
        }
        cdp_polls_init(executor);
    }
    /* The worker is each executor's first member. */
    engine->pool.workers = (struct cdp_worker **)engine->executors;
    return true;
}

static void destroy(struct cdp_engine *engine)
{
    cdp_watchdog_destroy(engine);
    destroy_executors(engine);
    cdp_races_stop(engine);
    cdp_launch_memory_finish(&engine->launch_memory);
    if (engine->ranges.stacks.low != NULL) {
        cdp_os_unmap(engine->ranges.stacks.low,
                     (size_t)(engine->ranges.slabs.high - engine->ranges.stacks.low));
    }
    cdp_submission_queues_finish(engine);
    cdp_lock_finish(&engine->host.lock);
    cdp_lock_finish(&engine->faults.lock);
    cdp_scope_objects_finish(&engine->scope_objects);
    for (unsigned i = 0; i < engine->device_count; i++) {
        cdp_output_finish(&engine->devices[i].output);
    }
    cdp_replay_destroy(engine->replay);
    cdp_free(engine);
}

static void say_fewer(unsigned wanted, unsigned got, void (*describe)(char *out, size_t size))
{
    char limit[300];
    describe(limit, sizeof limit);
    fprintf(stderr, "cdp: %u of %u workers: %s\n", got, wanted, limit);
}

/* With fewer CPUs than threads, spinning takes CPU time from other threads, and pinning keeps the
 * system from distributing them.  So both are off. */
static void set_pool(struct cdp_engine *engine, const struct cdp_options *options,
                     const struct cdp_address_space *space)
{
    /* At least two: a lone worker has its own thread, so each launch would take two switches
     * between that and the host thread. */
    unsigned cpus = cdp_os_cpu_count(), usual = cpus > 1 ? cpus : 2;
    engine->worker_count = options->workers != 0 ? options->workers : usual;
    if (engine->worker_count > space->most_workers) {
        say_fewer(engine->worker_count, (unsigned)space->most_workers,
                  cdp_os_describe_memory_limit);
        engine->worker_count = (unsigned)space->most_workers;
    }
    engine->pool.count = engine->schedule->repeats ? 1 : engine->worker_count;
    engine->pool.stack_bytes = cdp_address_space_stack(space, engine->pool.count);
    bool has_cpus = cpus > 1 && engine->pool.count <= cpus;
    engine->pool.spin_us = has_cpus ? options->spin_us : 0;
    engine->pool.pin = has_cpus ? (enum cdp_pin)options->pin : CDP_PIN_NONE;
    engine->pool.seed = options->seed;
    engine->pool.main = cdp_loop_main;
}

static bool choose_schedule(struct cdp_engine *engine, const struct cdp_options *options)
{
    enum { SCHEDULE_REPEAT = 0 };
    if (options->seed == 0 || options->schedule != SCHEDULE_REPEAT) {
        engine->schedule = options->seed == 0 ? &cdp_schedule_natural : &cdp_schedule_shuffled;
        return true;
    }
    engine->schedule = &cdp_schedule_replayed;
    engine->replay = cdp_replay_create(options->seed);
    return engine->replay != NULL;
}

/* Values of CDP_ENTRY. */
enum { ENTRY_AUTO = 0, ENTRY_THREAD = 1, ENTRY_BLOCK = 2 };

/* Block entries need more stack, because it has the values of many threads.  And they may have
 * instructions that valgrind does not know.  There they must be requested. */
static bool prefers_threads(const struct cdp_options *options)
{
    enum { LEAST_STACK_KB = 384 };
    return options->entry == ENTRY_THREAD || options->stack_kb < LEAST_STACK_KB ||
           (options->entry == ENTRY_AUTO && cdp_sanitizer_is_valgrind());
}

uint64_t cdp_abi_stream_bytes CDP_EXPORT;

/* Nontemporal stores start at this size.  Less data may still be in the caches when the next grid
 * reads it. */
static void set_streams(const struct cdp_options *options)
{
    enum { USUAL_CACHES = 32 << 20 };
    uint64_t caches = options->stream_bytes != 0 ? options->stream_bytes : cdp_os_caches();
    cdp_abi_stream_bytes = caches != 0 ? caches : USUAL_CACHES;
}

/* Starts as many threads as possible, perhaps none. */
static bool start_pool(struct cdp_engine *engine)
{
    unsigned wanted = engine->pool.count;
    if (!cdp_pool_start(&engine->pool)) {
        return false;
    }
    engine->modes.is_threadless = engine->pool.count == 1 && !engine->pool.workers[0]->has_thread;
    if (engine->pool.count < wanted) {
        say_fewer(wanted, engine->pool.count, cdp_os_describe_thread_limit);
        engine->worker_count = engine->pool.count;
    }
    if (engine->modes.is_threadless) {
        char limit[300];
        cdp_os_describe_thread_limit(limit, sizeof limit);
        fprintf(stderr,
                "cdp: no thread can be started (%s): device code runs on the first thread that "
                "waits for it, while that waits or asks\n",
                limit);
    }
    if (engine->modes.is_threadless && engine->schedule->repeats) {
        fprintf(stderr, "cdp: CDP_SEED needs one\n");
        cdp_pool_stop(&engine->pool);
        return false;
    }
    return true;
}

static void visit_waiting(const struct cdp_block *block, const struct cdp_wait_visitor *visitor)
{
    cdp_named_barriers_visit(block, visitor);
    cdp_cluster_visit(block, visitor);
    cdp_warps_visit(block, visitor);
}

static const struct cdp_operations operations = {
    .kill_block = cdp_block_kill,
    .idle_fiber = cdp_executor_idle_fiber,
    .visit_waiting = visit_waiting,
    .chains_pending = cdp_chains_pending,
    .run_grid = cdp_grid_run,
    .complete_grid = cdp_grid_complete,
    .run_brief = cdp_brief_try,
    .free_blocks = cdp_blocks_destroy,
};

/* Initializes the parts that cannot fail. */
static void set_parts(struct cdp_engine *engine)
{
    for (unsigned i = 0; i < engine->device_count; i++) {
        engine->devices[i].limits = (struct cdp_engine_limits){
            .sync_depth = 2, .pending_launches = 2048, .printf_fifo = 8650752, .stack_size = 1024};
        engine->devices[i].clock_khz = CDP_CLOCK_KHZ;
        cdp_output_init(&engine->devices[i].output);
    }
    cdp_lock_init(&engine->host.lock, CDP_RANK_ENGINE);
    cdp_lock_init(&engine->faults.lock, CDP_RANK_OUTPUT);
    cdp_scope_objects_init(&engine->scope_objects);
    cdp_clock_init(&engine->clock);
}

static void install_signals(struct cdp_engine *engine)
{
    if (engine->options->faults == 0) {
        cdp_fault_install();
        engine->modes.takes_signals_back = cdp_os_signals_are_open();
    }
    engine->modes.acts_at_calls = engine->modes.takes_turns || engine->modes.takes_signals_back;
}

/* An engine that has no address ranges and no threads yet.  NULL without memory. */
static struct cdp_engine *create(const struct cdp_options *options)
{
    struct cdp_engine *engine = cdp_alloc_aligned(CDP_CACHE_LINE, sizeof *engine);
    if (engine == NULL) {
        return NULL;
    }
    engine->options = options;
    engine->device_count = options->devices != 0 ? options->devices : 1;
    engine->operations = &operations;
    if (!choose_schedule(engine, options) || !cdp_submission_queues_init(engine)) {
        cdp_replay_destroy(engine->replay);
        cdp_free(engine);
        return NULL;
    }
    bool is_checked = atomic_load(&cdp_finding_checks) != 0;
    engine->modes.counts_launches = options->launch_pool != 0 || options->stats != 0 ||
                                    is_checked || cdp_profile_is_on || cdp_steps_is_on;
    engine->modes.takes_turns = engine->schedule->repeats;
    engine->modes.by_thread = engine->schedule->repeats || prefers_threads(options);
    engine->modes.by_block = options->entry == ENTRY_BLOCK;
    engine->modes.plain = engine->schedule->is_natural && !engine->modes.counts_launches;
    set_parts(engine);
    return engine;
}

/* With the check of initialization: shared memory has bits, too. */
static void follow_shared_memory(struct cdp_engine *engine)
{
    const struct cdp_slab_range *slabs = &engine->ranges.slabs;
    engine->modes.init = cdp_finding_is_on(CDP_CHECKS_INIT);
    if (engine->modes.init) {
        cdp_written_enable(slabs->low, (size_t)(slabs->high - slabs->low), true);
    }
}

enum cdp_status cdp_engine_start(const struct cdp_options *options, struct cdp_engine **out)
{
    struct cdp_engine *engine = create(options);
    if (engine == NULL) {
        return CDP_NO_MEMORY;
    }
    struct cdp_address_space space = cdp_address_space_choose();
    set_pool(engine, options, &space);
    cdp_launch_memory_init(&engine->launch_memory, options, engine->pool.count);
    engine->launch_memory.operations = engine->operations;
    set_streams(options);
    install_signals(engine);
    bool has_space = cdp_address_space_reserve(engine, space);
    if (has_space) {
        cdp_races_start(engine);
        follow_shared_memory(engine);
    }
    if (!has_space || !create_executors(engine) || !cdp_watchdog_start(engine) ||
        !start_pool(engine)) {
        cdp_watchdog_stop(engine);
        destroy(engine);
        return CDP_NO_MEMORY;
    }
    cdp_progress_start(engine);
    *out = engine;
    return CDP_OK;
}

void cdp_engine_limit_output(struct cdp_engine *engine, unsigned device, size_t bytes)
{
    engine->devices[device].output.limit = bytes;
}

void cdp_engine_print_stats(const struct cdp_engine *engine)
{
    cdp_stats_print(engine);
}

void cdp_engine_stop(struct cdp_engine *engine)
{
    if (engine == NULL) {
        return;
    }
    cdp_progress_stop(engine);
    cdp_watchdog_stop(engine);
    if (engine->modes.takes_turns) {
        engine->schedule->host.stop(engine);
    }
    cdp_pool_stop(&engine->pool);
    destroy(engine);
}

_Static_assert(sizeof(struct cdp_task) <= sizeof(((struct cdp_engine_task *)0)->internal),
               "a task fits into what the engine keeps in cdp_engine_task");

static void run_engine_task(struct cdp_worker *worker, struct cdp_task *task, uint32_t first,
                            uint32_t last)
{
    (void)first, (void)last;
    struct cdp_engine_task *outer =
        (struct cdp_engine_task *)((char *)task - offsetof(struct cdp_engine_task, internal));
    cdp_loop_call((struct cdp_executor *)worker, outer);
}

void cdp_engine_run_task(struct cdp_engine *engine, struct cdp_engine_task *task)
{
    struct cdp_task *inner = (struct cdp_task *)(void *)task->internal;
    inner->run = run_engine_task;
    cdp_engine_inject(engine, inner);
}

void cdp_engine_set_clock(struct cdp_engine *engine, unsigned device, uint32_t khz)
{
    engine->devices[device].clock_khz = khz;
}

void cdp_engine_set_error_name(struct cdp_engine *engine, const char *(*name)(enum cdp_status))
{
    engine->names.status = name;
}

void cdp_engine_set_device_error_name(struct cdp_engine *engine, const char *(*name)(int error))
{
    engine->names.device_error = name;
}

void cdp_engine_set_shared_segments(struct cdp_engine *engine, size_t end)
{
    atomic_store_explicit(&engine->ranges.shared_segments_end, end, memory_order_relaxed);
}

void cdp_engine_ranges(const struct cdp_engine *engine, struct cdp_engine_ranges *out)
{
    out->shared_low = engine->ranges.slabs.low;
    out->shared_high = engine->ranges.slabs.high;
    out->local_low = engine->ranges.stacks.low;
    out->local_high = engine->ranges.stacks.high;
}

unsigned cdp_engine_worker_count(const struct cdp_engine *engine)
{
    return engine->worker_count;
}

unsigned cdp_engine_thread_count(const struct cdp_engine *engine)
{
    unsigned count = engine->watchdog != NULL;
    for (unsigned i = 0; i < engine->pool.count; i++) {
        count += engine->pool.workers[i]->has_thread;
    }
    return count;
}

bool cdp_engine_lost_launch(const struct cdp_engine *engine, unsigned device)
{
    return atomic_load(&engine->devices[device].lost_launch);
}

bool cdp_engine_is_threadless(const struct cdp_engine *engine)
{
    return engine->modes.is_threadless;
}

bool cdp_engine_repeats(const struct cdp_engine *engine)
{
    return engine->schedule->repeats;
}

static CDP_COLD void lend_slowly(struct cdp_engine *engine)
{
    if (engine->modes.takes_turns) {
        engine->schedule->host.lend(engine);
    }
    if (engine->modes.takes_signals_back) {
        cdp_os_signals_take_back();
    }
}

void cdp_engine_lend(struct cdp_engine *engine)
{
    if (CDP_UNLIKELY(engine->modes.acts_at_calls)) {
        lend_slowly(engine);
    }
}

struct cdp_engine_limits *cdp_engine_limits(struct cdp_engine *engine, unsigned device)
{
    return &engine->devices[device].limits;
}

static CDP_COLD void copy_fault(struct cdp_engine *engine, unsigned device, struct cdp_fault *out)
{
    cdp_lock_acquire(&engine->faults.lock);
    *out = engine->devices[device].first;
    cdp_lock_release(&engine->faults.lock);
}

enum cdp_status cdp_engine_fault(const struct cdp_engine *engine, unsigned device,
                                 struct cdp_fault *out)
{
    enum cdp_status status = (enum cdp_status)atomic_load(&engine->devices[device].fault);
    if (CDP_UNLIKELY(out != NULL && status != CDP_OK)) {
        copy_fault((struct cdp_engine *)(uintptr_t)engine, device, out);
    }
    return status;
}

void cdp_engine_clear_fault(struct cdp_engine *engine, unsigned number)
{
    struct cdp_engine_device *device = &engine->devices[number];
    cdp_lock_acquire(&engine->faults.lock);
    if (device->first.status != CDP_OK) {
        atomic_fetch_sub(&engine->faults.count, 1);
    }
    device->first = (struct cdp_fault){.status = CDP_OK};
    atomic_store(&device->fault, CDP_OK);
    atomic_store(&device->lost_launch, false);
    cdp_lock_release(&engine->faults.lock);
}

void cdp_engine_flush_output(struct cdp_engine *engine, unsigned device)
{
    cdp_output_flush(&engine->devices[device].output);
}
