/* Device launches, streams and events. */
#include "exec/launch/scope.h"

#include <string.h>

#include "base/alloc.h"
#include "exec/launch/spin.h"
#include "exec/report/profile.h"
#include "exec/report/races.h"
#include "exec/report/space.h"
#include "exec/report/stats.h"
#include "exec/state/cluster.h"
#include "exec/state/engine.h"
#include "exec/state/point.h"
#include "exec/state/valid.h"

/* One recording of an event.  It has references from the event if this is its latest recording,
 * from the operation that records, and from each operation that waits for it. */
struct cdp_event_mark {
    _Atomic uint32_t references;
    _Atomic uint8_t lock; /* spin; guards done and waiting */
    bool done;
    struct cdp_grid *waiting;     /* operations that wait, by task.link */
    struct cdp_race_clock *clock; /* with the race check: what was before; const */
};

/* Removes the buffer from the block's list.  NULL if it is not in the list.  Buffers are usually
 * launched as soon as they are filled, so it is almost always the newest. */
static struct cdp_grid *unlink_buffer(struct cdp_block *block, void *params)
{
    struct cdp_grid *wanted = cdp_grid_of_params(params);
    struct cdp_grid *newest = block->children.buffers;
    if (CDP_LIKELY(newest == wanted)) {
        block->children.buffers = cdp_grid_linked(newest);
        return wanted;
    }
    for (struct cdp_grid *g = newest; g != NULL; g = cdp_grid_linked(g)) {
        if (cdp_grid_linked(g) == wanted) {
            g->task.link = wanted->task.link;
            return wanted;
        }
    }
    return NULL;
}

bool cdp_scope_owns_buffer(const struct cdp_block *block, const void *params)
{
    const struct cdp_grid *wanted = (const struct cdp_grid *)params - 1;
    const struct cdp_grid *grid = block->children.buffers;
    while (grid != NULL && grid != wanted) {
        grid = cdp_grid_linked(grid);
    }
    return grid != NULL;
}

static void append_to_stream(struct cdp_executor *executor, struct cdp_device_stream *stream,
                             struct cdp_grid *grid)
{
    grid->order = CDP_ORDER_NAMED;
    cdp_spin_lock(&stream->lock);
    bool idle = stream->tail == NULL;
    if (idle) {
        stream->head = grid;
    } else {
        /* Relaxed: under the lock. */
        atomic_store_explicit(&stream->tail->next, grid, memory_order_relaxed);
    }
    stream->tail = grid;
    cdp_spin_unlock(&stream->lock);
    if (idle) {
        cdp_grid_offer(executor, grid);
    }
}

static void append_to_tails(struct cdp_block *block, struct cdp_grid *tail)
{
    struct cdp_grid *grid = block->grid;
    tail->kind = CDP_GRID_TAIL;
    tail->owner = grid;
    cdp_grid_link(tail, NULL);
    CDP_CHECK_VALID(cdp_grid_is_valid(tail));
    cdp_spin_lock(&grid->lock);
    if (grid->tails.first != NULL) {
        cdp_grid_link(grid->tails.last, tail);
    } else {
        grid->tails.first = tail;
    }
    grid->tails.last = tail;
    cdp_spin_unlock(&grid->lock);
}

static void submit(struct cdp_block *block, struct cdp_grid *grid, enum cdp_device_target target,
                   struct cdp_device_stream *stream)
{
    if (target == CDP_TARGET_TAIL) {
        append_to_tails(block, grid);
        return;
    }
    grid->kind = CDP_GRID_CHILD;
    grid->parent = block;
    grid->epoch = block->children.epochs.open;
    grid->stream = stream;
    block->children.count++;
    CDP_CHECK_VALID(cdp_grid_is_valid(grid));
    switch (target) {
    case CDP_TARGET_BLOCK:
        cdp_scope_append(block, &block->children.null_tail, grid);
        break;
    case CDP_TARGET_NAMED:
        if (stream->object.is_private) {
            cdp_scope_append(block, &stream->tail, grid);
        } else {
            append_to_stream(block->executor, stream, grid);
        }
        break;
    case CDP_TARGET_FREE:
    case CDP_TARGET_TAIL:
        cdp_grid_offer(block->executor, grid);
        break;
    }
}

/* ---- The race check ---- */

/* A stream of device code, as the race check sees it. state NULL: fire and forget, or a tail. */
struct race_target {
    struct cdp_race_stream *state;
    uintptr_t key;
    _Atomic uint8_t *lock; /* guards state; NULL: only this worker uses it */
};

static struct race_target race_target(struct cdp_block *block, enum cdp_device_target target,
                                      struct cdp_device_stream *stream)
{
    if (target == CDP_TARGET_BLOCK) {
        return (struct race_target){.state = &block->races->null_stream,
                                    .key = cdp_races_null_key(block)};
    }
    if (target == CDP_TARGET_NAMED) {
        /* The address is that of later streams, too, and the handle is not. */
        uint64_t key = atomic_load_explicit(&stream->object.handle, memory_order_relaxed);
        return (struct race_target){.state = &stream->races, .key = key, .lock = &stream->lock};
    }
    return (struct race_target){.state = NULL};
}

static void lock_target(const struct race_target *target)
{
    if (target->lock != NULL) {
        cdp_spin_lock(target->lock);
    }
}

static void unlock_target(const struct race_target *target)
{
    if (target->lock != NULL) {
        cdp_spin_unlock(target->lock);
    }
}

/* The state now, with a reference to its clock. */
static struct cdp_race_stream read_target(const struct race_target *target)
{
    struct cdp_race_stream state = {.clock = NULL};
    if (target->state != NULL) {
        lock_target(target);
        state = *target->state;
        (void)cdp_clock_share(state.clock);
        unlock_target(target);
    }
    return state;
}

/* What is before an event that is recorded now. */
static struct cdp_race_clock *clock_of_event(const struct race_target *target)
{
    struct cdp_race_stream state = read_target(target);
    if (state.latest != 0) {
        cdp_clock_add(&state.clock, target->key, state.latest);
    }
    return state.clock;
}

/* The stream waits for an event. */
static void join_clock(const struct race_target *target, const struct cdp_race_clock *clock)
{
    struct cdp_race_stream state = read_target(target);
    cdp_clock_join(&state.clock, clock);
    if (target->state != NULL) {
        lock_target(target);
        struct cdp_race_clock *before = target->state->clock;
        target->state->clock = state.clock;
        unlock_target(target);
        cdp_clock_drop(before);
    } else {
        cdp_clock_drop(state.clock);
    }
}

static void note_launch(struct cdp_block *block, struct cdp_grid *grid,
                        const struct cdp_device_launch *launch)
{
    struct race_target target = race_target(block, launch->target, launch->stream);
    enum cdp_history_kind kind =
        launch->target == CDP_TARGET_TAIL ? CDP_LAUNCH_TAIL : CDP_LAUNCH_CHILD;
    struct cdp_race_stream state = read_target(&target);
    uint32_t number = cdp_races_launch(block, grid, kind, target.key, state.clock);
    if (target.state != NULL) {
        lock_target(&target);
        target.state->latest = number;
        unlock_target(&target);
    }
}

/* ---- Launches ---- */

/* Counts the launch as pending, if launches are counted.  False if there are too many pending
 * launches. */
static bool take_place(struct cdp_executor *executor, struct cdp_grid *grid,
                       enum cdp_device_target target)
{
    enum { POOL_FIXED = 1 };
    struct cdp_engine *engine = executor->engine;
    if (CDP_LIKELY(!engine->modes.counts_launches)) {
        return true;
    }
    uint32_t pending = atomic_fetch_add(&engine->launch_memory.pending, 1);
    const struct cdp_engine_limits *limits = &engine->devices[cdp_grid_device(grid)].limits;
    if (engine->options->launch_pool == POOL_FIXED && pending >= limits->pending_launches) {
        atomic_fetch_sub(&engine->launch_memory.pending, 1);
        return false;
    }
    grid->device |= CDP_GRID_COUNTED;
    cdp_stats_launched(executor, grid, pending + 1);
    if (cdp_profile_is_on) {
        cdp_profile_launched(grid, cdp_block_of(cdp_abi_self)->grid);
    }
    if (target == CDP_TARGET_TAIL || target == CDP_TARGET_FREE) {
        cdp_stats_note(executor, CDP_STATS_TAIL_OR_FREE);
    }
    return true;
}

/* Shared and local memory are not visible to child grids.  Reports parameters that point to such
 * memory. */
static void check_pointers(const struct cdp_block *block, const struct cdp_device_launch *launch,
                           const void *params)
{
    const struct cdp_abi_thread *self = cdp_abi_self;
    struct cdp_private_range range = {.low = self->private_low, .size = self->private_size};
    if (CDP_LIKELY(!cdp_space_hands_on(launch->kernel, params, range))) {
        return;
    }
    struct cdp_handover handover = {.engine = block->executor->engine,
                                    .device = cdp_grid_device(block->grid),
                                    .block = block,
                                    .kernel = launch->kernel,
                                    .params = params,
                                    .site = launch->site};
    cdp_space_report_launch(&handover, range);
}

/* Replaces the record by one with space for the table of clusters, and sets the table.  NULL
 * without memory. */
static struct cdp_grid *add_clusters(struct cdp_executor *executor, struct cdp_grid *record,
                                     const struct cdp_device_launch *launch)
{
    const struct cdp_abi_kernel *kernel = launch->kernel;
    struct cdp_grid *grid = cdp_grid_source_take(
        &executor->records.source, cdp_grid_barrier_at(kernel) + sizeof(struct cdp_grid_barrier));
    if (grid != NULL) {
        memcpy(cdp_grid_params(grid), cdp_grid_params(record), kernel->param_size);
        grid->kernel = kernel;
        if (!cdp_grid_set_clusters(grid, launch->grid_dim, launch->cluster_dim)) {
            cdp_grid_give(executor, grid);
            grid = NULL;
        }
    }
    cdp_grid_give(executor, record);
    return grid;
}

/* An initialized record with the launch's parameters.  NULL: *status says why. */
static struct cdp_grid *take_record(struct cdp_block *block, const struct cdp_device_launch *launch,
                                    enum cdp_status *status)
{
    struct cdp_executor *executor = block->executor;
    struct cdp_grid *grid = launch->params != NULL
                                ? unlink_buffer(block, launch->params)
                                : cdp_grid_source_pick(&executor->records.source, 0);
    *status = launch->params != NULL ? CDP_INVALID_VALUE : CDP_NO_MEMORY;
    if (CDP_UNLIKELY(grid == NULL)) {
        return NULL;
    }
    cdp_grid_renew(&executor->records.source, grid);
    if (CDP_UNLIKELY(launch->cluster_dim[0] != 0)) {
        *status = CDP_NO_MEMORY;
        return add_clusters(executor, grid, launch);
    }
    return grid;
}

static void give_record(struct cdp_executor *executor, struct cdp_grid *grid)
{
    if (CDP_UNLIKELY(cdp_grid_has_clusters(grid))) {
        cdp_free(cdp_grid_barrier(grid)->clusters);
    }
    cdp_grid_give(executor, grid);
}

enum cdp_status cdp_scope_launch(struct cdp_block *block, const struct cdp_device_launch *launch)
{
    struct cdp_executor *executor = block->executor;
    enum cdp_status status;
    struct cdp_grid *grid = take_record(block, launch, &status);
    if (CDP_UNLIKELY(grid == NULL)) {
        return status;
    }
    grid->home = executor;
    grid->shape.depth = cdp_grid_depth_below(block->grid->shape.depth);
    grid->site = launch->site;
    grid->device |= (uint8_t)cdp_grid_device(block->grid);
    grid->kernel = launch->kernel;
    grid->shape.dynamic_shared = launch->dynamic_shared;
    cdp_grid_set_shape(grid, launch->grid_dim, launch->block_dim);
    if (CDP_UNLIKELY(!take_place(executor, grid, launch->target))) {
        give_record(executor, grid);
        return CDP_PENDING_EXCEEDED;
    }
    check_pointers(block, launch, cdp_grid_params(grid));
    if (CDP_UNLIKELY(block->races != NULL)) {
        note_launch(block, grid, launch);
    }
    submit(block, grid, launch->target, launch->stream);
    cdp_schedule_point(block);
    return CDP_OK;
}

enum cdp_handle_state cdp_device_handle_state(struct cdp_engine *engine, uint64_t handle)
{
    return cdp_scope_handle_state(&engine->scope_objects, handle);
}

/* ---- Streams ---- */

enum cdp_status cdp_device_stream_create(struct cdp_block *block, uint64_t *handle)
{
    struct cdp_scope_slot *slot = cdp_scope_object_create(block, CDP_SCOPE_STREAM);
    if (slot == NULL) {
        return CDP_NO_MEMORY;
    }
    *handle = atomic_load_explicit(&slot->object.handle, memory_order_relaxed);
    return CDP_OK;
}

static void finish_stream(struct cdp_scope_slot *slot)
{
    if (CDP_UNLIKELY(slot->stream.races.clock != NULL)) {
        cdp_clock_drop(slot->stream.races.clock);
    }
}

static void give_stream(struct cdp_executor *executor, struct cdp_device_stream *stream)
{
    finish_stream(cdp_scope_slot_of(&stream->object));
    cdp_scope_object_give(executor, &stream->object);
}

void cdp_device_stream_destroy(struct cdp_block *block, struct cdp_device_stream *stream)
{
    if (!cdp_scope_object_end(block, &stream->object)) {
        return;
    }
    bool is_idle;
    if (CDP_LIKELY(stream->object.is_private)) {
        is_idle = stream->tail == NULL;
        stream->is_ending = !is_idle;
    } else {
        cdp_spin_lock(&stream->lock);
        is_idle = stream->head == NULL;
        stream->is_ending = !is_idle;
        cdp_spin_unlock(&stream->lock);
    }
    if (is_idle) {
        give_stream(block->executor, stream);
    }
}

void cdp_device_stream_is_idle(struct cdp_executor *executor, struct cdp_device_stream *stream)
{
    stream->tail = NULL;
    if (stream->is_ending) {
        give_stream(executor, stream);
    }
}

void cdp_device_stream_completed(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_device_stream *stream = grid->stream;
    cdp_spin_lock(&stream->lock);
    struct cdp_grid *next = atomic_load_explicit(&grid->next, memory_order_relaxed);
    stream->head = next;
    if (next == NULL) {
        stream->tail = NULL;
    }
    bool over = stream->is_ending && next == NULL;
    cdp_spin_unlock(&stream->lock);
    if (next != NULL) {
        cdp_grid_start(executor, next);
    } else if (over) {
        give_stream(executor, stream);
    }
}

static void unref(struct cdp_event_mark *mark)
{
    /* Release: this use of it.  Acquire, for the last reference: all uses. */
    if (mark != NULL &&
        atomic_fetch_sub_explicit(&mark->references, 1, memory_order_acq_rel) == 1) {
        cdp_clock_drop(mark->clock);
        cdp_free(mark);
    }
}

/* The parameters of an operation in a stream. */
struct operation {
    struct cdp_event_mark *mark; /* holds a reference */
};

/* The operation is done, so its grid is complete. */
static void complete(struct cdp_executor *executor, struct cdp_grid *operation)
{
    executor->engine->operations->complete_grid(executor, operation);
}

/* The recording is reached: completes the operations that wait for it. */
static void run_record(struct cdp_worker *worker, struct cdp_task *task, uint32_t first,
                       uint32_t last)
{
    (void)first, (void)last;
    struct cdp_executor *executor = (struct cdp_executor *)worker;
    struct cdp_grid *grid = cdp_grid_of_task(task);
    struct operation *operation = cdp_grid_params(grid);
    cdp_spin_lock(&operation->mark->lock);
    operation->mark->done = true;
    struct cdp_grid *waiting = operation->mark->waiting;
    cdp_spin_unlock(&operation->mark->lock);
    unref(operation->mark);
    while (waiting != NULL) {
        struct cdp_grid *next = cdp_grid_linked(waiting);
        unref(((struct operation *)cdp_grid_params(waiting))->mark);
        complete(executor, waiting);
        waiting = next;
    }
    complete(executor, grid);
}

static void run_wait(struct cdp_worker *worker, struct cdp_task *task, uint32_t first,
                     uint32_t last)
{
    (void)first, (void)last;
    struct cdp_grid *grid = cdp_grid_of_task(task);
    struct cdp_event_mark *mark = ((struct operation *)cdp_grid_params(grid))->mark;
    cdp_spin_lock(&mark->lock);
    bool done = mark->done;
    if (!done) {
        cdp_grid_link(grid, mark->waiting);
        mark->waiting = grid;
    }
    cdp_spin_unlock(&mark->lock);
    if (done) {
        unref(mark);
        complete((struct cdp_executor *)worker, grid);
    }
}

static enum cdp_status submit_operation(struct cdp_block *block, struct cdp_event_mark *mark,
                                        bool record, enum cdp_device_target target,
                                        struct cdp_device_stream *stream)
{
    struct cdp_grid *grid = cdp_grid_take(block->executor, sizeof(struct operation));
    if (grid == NULL) {
        unref(mark);
        return CDP_NO_MEMORY;
    }
    ((struct operation *)cdp_grid_params(grid))->mark = mark;
    grid->task.run = record ? run_record : run_wait;
    grid->shape.block_count = 1;
    submit(block, grid, target, stream);
    cdp_schedule_point(block);
    return CDP_OK;
}

enum cdp_status cdp_device_event_create(struct cdp_block *block, uint64_t *handle)
{
    struct cdp_scope_slot *slot = cdp_scope_object_create(block, CDP_SCOPE_EVENT);
    if (slot == NULL) {
        return CDP_NO_MEMORY;
    }
    *handle = atomic_load_explicit(&slot->object.handle, memory_order_relaxed);
    return CDP_OK;
}

void cdp_device_event_destroy(struct cdp_block *block, struct cdp_device_event *event)
{
    if (cdp_scope_object_end(block, &event->object)) {
        unref(event->latest);
        cdp_scope_object_give(block->executor, &event->object);
    }
}

enum cdp_status cdp_device_event_record(struct cdp_block *block, struct cdp_device_event *event,
                                        enum cdp_device_target target,
                                        struct cdp_device_stream *stream)
{
    struct cdp_event_mark *mark = cdp_alloc_zero(sizeof *mark);
    if (mark == NULL) {
        return CDP_NO_MEMORY;
    }
    atomic_init(&mark->references, 2); /* the event's and the operation's */
    if (CDP_UNLIKELY(block->races != NULL)) {
        struct race_target of = race_target(block, target, stream);
        mark->clock = clock_of_event(&of);
    }
    enum cdp_status status = submit_operation(block, mark, true, target, stream);
    if (status != CDP_OK) {
        unref(mark);
        return status;
    }
    /* Only now, so that a wait for the recording cannot be before it in the same stream. */
    cdp_spin_lock(&event->lock);
    struct cdp_event_mark *before = event->latest;
    event->latest = mark;
    cdp_spin_unlock(&event->lock);
    unref(before);
    return CDP_OK;
}

enum cdp_status cdp_device_event_wait(struct cdp_block *block, struct cdp_device_event *event,
                                      enum cdp_device_target target,
                                      struct cdp_device_stream *stream)
{
    cdp_spin_lock(&event->lock);
    struct cdp_event_mark *mark = event->latest;
    if (mark != NULL) {
        /* Relaxed: the event's own reference keeps the mark alive. */
        atomic_fetch_add_explicit(&mark->references, 1, memory_order_relaxed);
    }
    cdp_spin_unlock(&event->lock);
    if (mark == NULL) {
        return CDP_OK; /* never recorded: nothing to wait for */
    }
    if (CDP_UNLIKELY(block->races != NULL)) {
        struct race_target of = race_target(block, target, stream);
        join_clock(&of, mark->clock);
    }
    return submit_operation(block, mark, false, target, stream);
}

static void finish_object(struct cdp_scope_slot *slot)
{
    if (slot->object.kind == CDP_SCOPE_STREAM) {
        finish_stream(slot);
    } else {
        unref(slot->event.latest);
    }
}

void cdp_scope_close(struct cdp_executor *executor, struct cdp_scope_slot **list)
{
    cdp_scope_objects_close(executor, list, finish_object);
}
