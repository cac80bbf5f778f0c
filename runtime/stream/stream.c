/* Streams: creation, look-up, submission and waiting. */
#include "stream/stream.h"

#include <string.h>

#include "base/alloc.h"
#include "exec/report/profile.h"
#include "exec/state/engine.h"
#include "exec/state/grid.h"
#include "exec/state/grid_times.h"
#include "stream/command.h"
#include "stream/races.h"

#define STREAM_TAG 0x53    /* 'S' */
#define MOST_PENDING 16384 /* commands of one stream */
#define EVENT_TAG 0x45     /* 'E' */

/* A thread's own default stream, kept under streams->thread_key. */
struct thread_stream {
    struct cdp_streams *streams;
    /* by device; stale after a reset: then a new stream is created */
    uint64_t handles[CDP_MOST_DEVICES];
};

static void end_thread(void *value)
{
    struct thread_stream *own = value;
    for (unsigned i = 0; i < own->streams->device_count; i++) {
        (void)!cdp_stream_destroy(own->streams, own->handles[i]); /* gone already after a reset */
    }
    cdp_free(own);
}

static void init_stream(struct cdp_streams *streams, struct cdp_stream *stream,
                        const struct cdp_stream_traits *traits)
{
    *stream = (struct cdp_stream){.device = &streams->devices[traits->device],
                                  .is_blocking = (traits->flags & CDP_STREAM_NON_BLOCKING) == 0,
                                  .traits = *traits,
                                  .refs = 1};
    atomic_init(&stream->oldest, CDP_NO_TICKET);
}

enum cdp_status cdp_streams_create(struct cdp_engine *engine, struct cdp_streams **out)
{
    struct cdp_streams *streams = cdp_alloc_zero(sizeof *streams);
    *out = streams;
    if (streams == NULL) {
        return CDP_NO_MEMORY;
    }
    if (cdp_alloc_fails() || pthread_key_create(&streams->thread_key, end_thread) != 0) {
        cdp_free(streams);
        *out = NULL;
        return CDP_NO_MEMORY;
    }
    streams->engine = engine;
    cdp_lock_init(&streams->lock, CDP_RANK_STREAMS);
    streams->stream_handles.tag = STREAM_TAG;
    streams->event_handles.tag = EVENT_TAG;
    streams->device_count = engine->device_count;
    for (unsigned i = 0; i < streams->device_count; i++) {
        streams->devices[i].number = i;
        init_stream(streams, &streams->devices[i].null, &(struct cdp_stream_traits){.device = i});
    }
    init_stream(streams, &streams->after_all,
                &(struct cdp_stream_traits){.flags = CDP_STREAM_NON_BLOCKING});
    return CDP_OK;
}

static bool forget_stream(void *object, void *device)
{
    struct cdp_stream *stream = object;
    bool takes = stream->device->number == *(const unsigned *)device;
    if (takes) {
        cdp_stream_unref(stream);
    }
    return takes;
}

static bool forget_event(void *object, void *device)
{
    struct cdp_event *event = object;
    bool takes = event->device == *(const unsigned *)device;
    if (takes) {
        cdp_event_unref(event);
    }
    return takes;
}

void cdp_streams_reset(struct cdp_streams *streams, unsigned device)
{
    cdp_streams_synchronize(streams, device);
    cdp_lock_acquire(&streams->lock);
    cdp_command_close_all(streams, device);
    cdp_handle_clear(&streams->event_handles, forget_event, &device);
    cdp_handle_clear(&streams->stream_handles, forget_stream, &device);
    cdp_lock_release(&streams->lock);
}

/* A new stream with its handle; NULL if there is no memory. */
static struct cdp_stream *make_stream(struct cdp_streams *streams,
                                      const struct cdp_stream_traits *traits, uint64_t *handle)
    CDP_NEEDS(&streams->lock)
{
    struct cdp_stream *stream = cdp_alloc(sizeof *stream);
    if (stream == NULL) {
        return NULL;
    }
    init_stream(streams, stream, traits);
    *handle = cdp_handle_create(&streams->stream_handles, stream);
    if (*handle == 0) {
        cdp_free(stream);
        return NULL;
    }
    return stream;
}

static struct cdp_stream *own_stream(struct cdp_streams *streams, unsigned device)
    CDP_NEEDS(&streams->lock)
{
    struct thread_stream *own = pthread_getspecific(streams->thread_key);
    if (own == NULL) {
        own = cdp_alloc_zero(sizeof *own);
        if (own == NULL) {
            return NULL;
        }
        own->streams = streams;
        if (cdp_alloc_fails() || pthread_setspecific(streams->thread_key, own) != 0) {
            cdp_free(own);
            return NULL;
        }
    }
    uint64_t *handle = &own->handles[device];
    struct cdp_stream *stream = cdp_handle_find(&streams->stream_handles, *handle);
    return stream != NULL
               ? stream
               : make_stream(streams, &(struct cdp_stream_traits){.device = device}, handle);
}

/* NULL also for a device that does not exist. */
static struct cdp_stream *default_stream(struct cdp_streams *streams, uint64_t handle)
    CDP_NEEDS(&streams->lock)
{
    unsigned device = (unsigned)(handle / CDP_STREAM_DEVICE);
    if (device >= streams->device_count || handle % CDP_STREAM_DEVICE > CDP_STREAM_PER_THREAD) {
        return NULL;
    }
    return cdp_stream_is_null(handle) ? &streams->devices[device].null
                                      : own_stream(streams, device);
}

struct cdp_stream *cdp_stream_find(struct cdp_streams *streams, uint64_t handle)
{
    if (CDP_LIKELY(handle <= CDP_STREAM_LEGACY)) {
        return &streams->devices[0].null;
    }
    if (cdp_stream_is_default(handle)) {
        return default_stream(streams, handle);
    }
    return cdp_handle_find(&streams->stream_handles, handle);
}

enum cdp_status cdp_stream_create(struct cdp_streams *streams,
                                  const struct cdp_stream_traits *traits, uint64_t *out)
{
    *out = 0;
    if ((traits->flags & ~(unsigned)CDP_STREAM_NON_BLOCKING) != 0) {
        return CDP_INVALID_VALUE;
    }
    cdp_lock_acquire(&streams->lock);
    struct cdp_stream *stream = make_stream(streams, traits, out);
    cdp_lock_release(&streams->lock);
    return stream != NULL ? CDP_OK : CDP_NO_MEMORY;
}

enum cdp_status cdp_stream_destroy(struct cdp_streams *streams, uint64_t handle)
{
    cdp_lock_acquire(&streams->lock);
    struct cdp_stream *stream = cdp_handle_remove(&streams->stream_handles, handle);
    if (stream != NULL) {
        cdp_command_close(streams, stream);
    }
    cdp_stream_unref(stream);
    cdp_lock_release(&streams->lock);
    return stream != NULL ? CDP_OK : cdp_stream_refuse(CDP_USE_STREAM, handle);
}

enum cdp_status cdp_stream_traits(struct cdp_streams *streams, uint64_t handle,
                                  struct cdp_stream_traits *out)
{
    cdp_lock_acquire(&streams->lock);
    const struct cdp_stream *stream = cdp_stream_find(streams, handle);
    if (stream != NULL) {
        *out = stream->traits;
    }
    cdp_lock_release(&streams->lock);
    return stream != NULL ? CDP_OK : cdp_stream_missing(handle);
}

enum cdp_status cdp_stream_set_traits(struct cdp_streams *streams, uint64_t handle,
                                      const struct cdp_stream_traits *traits)
{
    cdp_lock_acquire(&streams->lock);
    struct cdp_stream *stream = cdp_stream_find(streams, handle);
    if (stream != NULL) {
        stream->traits.priority = traits->priority;
        stream->traits.hints = traits->hints;
    }
    cdp_lock_release(&streams->lock);
    return stream != NULL ? CDP_OK : cdp_stream_missing(handle);
}

/* ---- Submitting ---- */

/* What a hold queues counts as submitted by the thread that submitted the hold: a thread that waits
 * for the one waits for the other. */
void cdp_streams_note_submitter(struct cdp_streams *streams, const struct cdp_stream *stream)
{
    if (CDP_UNLIKELY(stream != NULL && stream->is_of_holds)) {
        return;
    }
    if (CDP_LIKELY(streams->has_submitter)) {
        if (!pthread_equal(streams->submitter, pthread_self())) {
            atomic_store_explicit(&streams->many_submitters, true, memory_order_relaxed);
        }
        return;
    }
    streams->submitter = pthread_self();
    streams->has_submitter = true;
}

/* Returns a command that could not be filled. Waits that are already queued stay; they do no
 * harm. */
static void abandon(struct cdp_streams *streams, struct cdp_stream *stream,
                    struct cdp_command *command, struct cdp_batch *batch) CDP_NEEDS(&streams->lock)
{
    cdp_command_give(streams, command);
    cdp_command_advance(streams, stream, batch);
}

/* A program that only submits would fill the memory. As on hardware, it is blocked until about half
 * of the stream's commands are complete. */
static void wait_for_room(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock)
{
    uint64_t oldest = atomic_load_explicit(&stream->oldest, memory_order_relaxed);
    cdp_stream_wait_ticket(streams, stream, oldest + (stream->newest - oldest) / 2);
}

/* The first step of every submission: finds the stream, puts the necessary waits into its queue,
 * and takes a command. */
static enum cdp_status prepare(struct cdp_streams *streams, uint64_t handle,
                               enum cdp_command_kind kind, struct cdp_stream **stream,
                               struct cdp_command **command) CDP_NEEDS(&streams->lock)
{
    *stream = cdp_stream_find(streams, handle);
    cdp_streams_note_submitter(streams, *stream);
    if (CDP_UNLIKELY(*stream != NULL && (*stream)->length >= MOST_PENDING) &&
        !(*stream)->is_of_holds) {
        wait_for_room(streams, *stream);
        *stream = cdp_stream_find(streams, handle);
    }
    if (*stream == NULL) {
        return cdp_stream_missing(handle);
    }
    *command = cdp_command_take(streams, kind);
    if (*command == NULL) {
        return CDP_NO_MEMORY;
    }
    enum cdp_status status = cdp_command_push_barrier(streams, *stream);
    if (status != CDP_OK) {
        struct cdp_batch batch; /* stays empty: only waits can be pending here */
        cdp_batch_init(&batch);
        abandon(streams, *stream, *command, &batch);
    }
    return status;
}

/* The stream's last command is a chain that has reached its maximal length. It counts with its
 * length. */
static void count_chain(struct cdp_streams *streams, struct cdp_submission_queue *queue,
                        struct cdp_stream *stream) CDP_NEEDS(&streams->lock)
{
    (void)streams; /* used only to name its lock */
    struct cdp_command *tail = stream->tail;
    if (tail != NULL && tail->kind == CDP_COMMAND_LAUNCH && tail->weight == 1 &&
        cdp_submission_is_full(queue, &tail->chain)) {
        tail->weight = CDP_LONGEST_CHAIN;
        stream->length += CDP_LONGEST_CHAIN - 1;
    }
}

/* The key of a chain: the stream's handle and the launch's device. So no launch is appended to a
 * chain of another device. The bits of the device have no effect on whether a handle is a default
 * stream's (cdp_stream_is_default) or has the tag of streams. */
enum { KEY_DEVICE_SHIFT = 56 };
#define KEY_HANDLE (~((uint64_t)(CDP_MOST_DEVICES - 1) << KEY_DEVICE_SHIFT))

static uint64_t key_of(uint64_t handle, const struct cdp_launch *launch)
{
    return handle ^ (uint64_t)launch->device << KEY_DEVICE_SHIFT;
}

static void begin_chain(struct cdp_streams *streams, uint64_t key, struct cdp_command *command,
                        struct cdp_grid *grid, bool is_alone)
{
    command->chain.on_complete = cdp_command_launches_done;
    if (is_alone || cdp_engine_repeats(streams->engine) || streams->engine->modes.races) {
        cdp_chain_begin(&command->chain, grid);
    } else {
        cdp_chain_open(&command->chain, grid, key);
    }
}

/* Starts a chain in the stream. */
static enum cdp_status launch_first(struct cdp_streams *streams, uint64_t handle,
                                    struct cdp_submission_queue *queue, struct cdp_grid *grid,
                                    const struct cdp_launch *launch)
{
    struct cdp_stream *stream;
    struct cdp_command *command;
    struct cdp_batch batch;
    cdp_batch_init(&batch);
    cdp_lock_acquire(&streams->lock);
    enum cdp_status status = prepare(streams, handle, CDP_COMMAND_LAUNCH, &stream, &command);
    bool is_foreign = status == CDP_OK && stream->device->number != launch->device;
    if (CDP_UNLIKELY(is_foreign) && !launch->is_of_graph) {
        abandon(streams, stream, command, &batch);
        status = cdp_stream_refuse_device(stream->device->number, launch->device);
    }
    if (status == CDP_OK) {
        count_chain(streams, queue, stream);
        begin_chain(streams, key_of(handle, launch), command, grid,
                    stream->is_of_holds || is_foreign);
        if (CDP_UNLIKELY(streams->engine->modes.races)) {
            *cdp_grid_launch_number(grid) = cdp_stream_races_add(streams, stream, launch);
        }
        cdp_command_push(streams, stream, command);
        cdp_command_advance(streams, stream, &batch);
    } else {
        cdp_submission_drop(queue, grid);
    }
    cdp_lock_release(&streams->lock);
    cdp_batch_run(streams, &batch);
    return status;
}

enum cdp_status cdp_stream_launch(struct cdp_streams *streams, uint64_t handle,
                                  const struct cdp_launch *launch)
{
    struct cdp_submission_queue *queue = cdp_engine_submission_queue(streams->engine);
    struct cdp_grid *grid = queue != NULL ? cdp_submission_prepare(queue, launch) : NULL;
    if (CDP_UNLIKELY(grid == NULL)) {
        return CDP_NO_MEMORY;
    }
    if (CDP_UNLIKELY(cdp_profile_is_on)) {
        cdp_profile_stream(grid, handle);
    }
    if (CDP_LIKELY(cdp_submission_append(queue, key_of(handle, launch), grid))) {
        return CDP_OK;
    }
    return launch_first(streams, handle, queue, grid, launch);
}

static enum cdp_command_kind kind_of(const struct cdp_stream_call *call)
{
    return call->begin != NULL ? CDP_COMMAND_HOLD
           : call->brief       ? CDP_COMMAND_BRIEF
                               : CDP_COMMAND_CALL;
}

enum cdp_status cdp_stream_call(struct cdp_streams *streams, uint64_t handle,
                                const struct cdp_stream_call *call)
{
    struct cdp_stream *stream;
    struct cdp_command *command;
    struct cdp_batch batch;
    cdp_batch_init(&batch);
    cdp_lock_acquire(&streams->lock);
    enum cdp_status status = prepare(streams, handle, kind_of(call), &stream, &command);
    if (status != CDP_OK) {
        cdp_lock_release(&streams->lock);
        return status;
    }
    void *data = cdp_command_data(command, call->size);
    if (data != NULL) {
        if (call->size > 0) {
            memcpy(data, call->data, call->size);
        }
        if (call->begin != NULL) {
            command->call.begin = call->begin;
        } else {
            command->call.run = call->run;
        }
        command->race_number = cdp_stream_races_add(streams, stream, NULL);
        cdp_command_push(streams, stream, command);
        cdp_command_advance(streams, stream, &batch);
    } else {
        abandon(streams, stream, command, &batch);
        status = CDP_NO_MEMORY;
    }
    cdp_lock_release(&streams->lock);
    cdp_batch_run(streams, &batch);
    return status;
}

void cdp_stream_end_hold(struct cdp_command *hold)
{
    cdp_command_finish(hold);
}

enum cdp_status cdp_stream_serve_hold(struct cdp_streams *streams, uint64_t handle,
                                      const struct cdp_stream_service *service)
{
    cdp_lock_acquire(&streams->lock);
    struct cdp_stream *stream = cdp_stream_find(streams, handle);
    if (stream != NULL) {
        stream->is_of_holds = true;
        cdp_stream_races_serve(streams, stream, service);
    }
    cdp_lock_release(&streams->lock);
    return stream != NULL ? CDP_OK : cdp_stream_missing(handle);
}

/* Queues waits for everything that is pending in other streams. */
static enum cdp_status push_waits_for_all(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock)
{
    struct cdp_stream *next;
    enum cdp_status status = CDP_OK;
    for (struct cdp_stream *busy = streams->busy; busy != NULL && status == CDP_OK; busy = next) {
        next = busy->busy_next;
        status = cdp_command_push_wait(streams, stream, busy, busy->newest);
    }
    return status;
}

enum cdp_status cdp_streams_call_after_all(struct cdp_streams *streams,
                                           const struct cdp_stream_call *call)
{
    struct cdp_stream *stream = &streams->after_all;
    struct cdp_batch batch;
    cdp_batch_init(&batch);
    cdp_lock_acquire(&streams->lock);
    cdp_streams_note_submitter(streams, NULL);
    if (stream->length >= MOST_PENDING) {
        wait_for_room(streams, stream);
    }
    enum cdp_status status = push_waits_for_all(streams, stream);
    struct cdp_command *command =
        status == CDP_OK ? cdp_command_take(streams, CDP_COMMAND_BRIEF) : NULL;
    void *data = command != NULL ? cdp_command_data(command, call->size) : NULL;
    if (data != NULL) {
        memcpy(data, call->data, call->size);
        command->call.run = call->run;
        cdp_command_push(streams, stream, command);
    } else if (command != NULL) {
        cdp_command_give(streams, command);
    }
    cdp_command_advance(streams, stream, &batch);
    cdp_lock_release(&streams->lock);
    cdp_batch_run(streams, &batch);
    return data != NULL ? CDP_OK : CDP_NO_MEMORY;
}

/* ---- Waiting ---- */

struct ticket_wait {
    struct cdp_stream *stream;
    uint64_t ticket;
};

static bool ticket_done(void *arg)
{
    const struct ticket_wait *wait = arg;
    return cdp_stream_is_done(wait->stream, wait->ticket);
}

/* Acquire pairs with the release in leave_busy (command.c). */
static bool all_idle(void *arg)
{
    struct cdp_streams *streams = arg;
    return atomic_load_explicit(&streams->busy_count, memory_order_acquire) == 0;
}

static bool is_idle(struct cdp_streams *streams, unsigned device)
{
    return device == CDP_ALL_DEVICES ? all_idle(streams)
                                     : atomic_load_explicit(&streams->devices[device].busy_count,
                                                            memory_order_acquire) == 0;
}

/* Whether all streams with work belong to the device. */
static bool is_only_busy(struct cdp_streams *streams, unsigned device) CDP_NEEDS(&streams->lock)
{
    return device == CDP_ALL_DEVICES ||
           atomic_load(&streams->devices[device].busy_count) == atomic_load(&streams->busy_count);
}

static bool turn_granted(void *arg)
{
    struct cdp_command *turn = arg;
    return atomic_load_explicit(&turn->granted, memory_order_acquire);
}

static void add_waiter(struct cdp_streams *streams, struct cdp_host_waiter *waiter)
    CDP_NEEDS(&streams->lock)
{
    waiter->next = streams->host_waiters;
    streams->host_waiters = waiter;
    if (waiter->stream != NULL) {
        cdp_stream_ref(waiter->stream);
    }
}

static void remove_waiter(struct cdp_streams *streams, struct cdp_host_waiter *waiter)
    CDP_NEEDS(&streams->lock)
{
    struct cdp_host_waiter **link = &streams->host_waiters;
    while (*link != waiter) {
        link = &(*link)->next;
    }
    *link = waiter->next;
    cdp_stream_unref(waiter->stream);
}

/* Whether nothing can be pending or be submitted except what the calling thread waits for, because
 * no other thread submits. Then the thread may run any block while it waits. */
static bool is_alone(const struct cdp_streams *streams, const struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock)
{
    return !streams->many_submitters && pthread_equal(streams->submitter, pthread_self()) &&
           streams->busy == stream && stream->busy_next == NULL;
}

/* The type of the engine's functions that wait. */
typedef void waiting(struct cdp_engine *engine, bool (*done)(void *arg), void *arg);

static waiting *way_to_wait(const struct cdp_streams *streams, const struct cdp_stream *stream,
                            uint64_t ticket) CDP_NEEDS(&streams->lock)
{
    if (is_alone(streams, stream) && ticket == stream->newest) {
        return cdp_engine_wait_idle;
    }
    const struct cdp_command *head = stream->head;
    return head != NULL && head->started && head->kind == CDP_COMMAND_LAUNCH
               ? cdp_engine_wait_launch
               : cdp_engine_wait;
}

void cdp_stream_wait_ticket(struct cdp_streams *streams, struct cdp_stream *stream, uint64_t ticket)
{
    if (stream->newest <= ticket) {
        cdp_command_close(streams, stream);
    }
    if (cdp_stream_is_done(stream, ticket)) {
        return;
    }
    struct cdp_host_waiter waiter = {.stream = stream, .ticket = ticket};
    struct ticket_wait wait = {.stream = stream, .ticket = ticket};
    waiting *await = way_to_wait(streams, stream, ticket);
    add_waiter(streams, &waiter);
    cdp_lock_release(&streams->lock);
    await(streams->engine, ticket_done, &wait);
    cdp_lock_acquire(&streams->lock);
    remove_waiter(streams, &waiter);
}

/* Waits until nothing at all is pending. Only for a thread that is the only one to submit. */
static void wait_all_idle(struct cdp_streams *streams) CDP_NEEDS(&streams->lock)
{
    struct cdp_host_waiter waiter = {.stream = NULL};
    add_waiter(streams, &waiter);
    cdp_lock_release(&streams->lock);
    cdp_engine_wait_idle(streams->engine, all_idle, streams);
    cdp_lock_acquire(&streams->lock);
    remove_waiter(streams, &waiter);
}

/* The pending work that a wait or a query is about. */
struct scope {
    unsigned device;
    uint64_t ticket; /* submitted up to here */
    bool blocking_only;
};

/* A stream with such work. */
static struct cdp_stream *find_pending(struct cdp_streams *streams, const struct scope *scope)
    CDP_NEEDS(&streams->lock)
{
    for (struct cdp_stream *busy = streams->busy; busy != NULL; busy = busy->busy_next) {
        if (cdp_stream_is_of(busy, scope->device) && !cdp_stream_is_done(busy, scope->ticket) &&
            (busy->is_blocking || !scope->blocking_only)) {
            return busy;
        }
    }
    return NULL;
}

static void wait_up_to_now(struct cdp_streams *streams, unsigned device, bool blocking_only)
    CDP_NEEDS(&streams->lock)
{
    struct cdp_stream *stream;
    struct scope scope = {
        .device = device, .ticket = streams->ticket, .blocking_only = blocking_only};
    cdp_command_close_all(streams, device);
    while ((stream = find_pending(streams, &scope)) != NULL) {
        cdp_stream_wait_ticket(streams, stream,
                               stream->newest < scope.ticket ? stream->newest : scope.ticket);
    }
}

/* The pending work of the stream, or all pending work, may be only the calling thread's own open
 * chain. Then waits for it, without the lock and without closing it. The mask is 0 for all. */
static bool wait_for_own_chain(struct cdp_streams *streams, uint64_t handle, uint64_t mask)
{
    struct cdp_submission_queue *queue = cdp_engine_own_submission_queue(streams->engine);
    if (queue == NULL || !cdp_submission_is_open(queue, handle, mask)) {
        return false;
    }
    /* Relaxed: submissions that other threads make just now are not waited for. Earlier ones closed
     * the chain or made another stream busy. */
    bool alone = atomic_load_explicit(&streams->busy_count, memory_order_relaxed) == 1 &&
                 !atomic_load_explicit(&streams->many_submitters, memory_order_relaxed);
    if ((mask == 0 || cdp_stream_is_null(handle)) && !alone) {
        return false;
    }
    cdp_engine_wait_queue(queue, alone);
    return true;
}

void cdp_streams_synchronize(struct cdp_streams *streams, unsigned device)
{
    bool checks_races = streams->engine->modes.races;
    /* If one stream has work, it is one of this device. */
    if (!checks_races && (is_idle(streams, device) || wait_for_own_chain(streams, 0, 0))) {
        return;
    }
    cdp_lock_acquire(&streams->lock);
    struct cdp_race_clock *pending = cdp_stream_races_pending(streams, device);
    if (streams->many_submitters || !pthread_equal(streams->submitter, pthread_self()) ||
        !is_only_busy(streams, device)) {
        wait_up_to_now(streams, device, false);
    } else {
        cdp_command_close_all(streams, device);
        if (streams->busy != NULL) {
            wait_all_idle(streams);
        }
    }
    cdp_stream_races_joined_all(streams, pending);
    cdp_lock_release(&streams->lock);
}

enum cdp_status cdp_stream_synchronize(struct cdp_streams *streams, uint64_t handle)
{
    if (wait_for_own_chain(streams, handle, KEY_HANDLE)) {
        return CDP_OK;
    }
    cdp_lock_acquire(&streams->lock);
    struct cdp_stream *stream = cdp_stream_find(streams, handle);
    if (stream != NULL && stream == &stream->device->null) {
        wait_up_to_now(streams, stream->device->number, true);
    } else if (stream != NULL) {
        cdp_stream_wait_ticket(streams, stream, stream->newest);
    }
    if (stream != NULL) {
        cdp_stream_races_joined(streams, stream);
    }
    cdp_lock_release(&streams->lock);
    return stream != NULL ? CDP_OK : cdp_stream_missing(handle);
}

/* joins: the caller of the program learns the result. */
static enum cdp_status query(struct cdp_streams *streams, uint64_t handle, bool joins)
{
    enum cdp_status status = cdp_stream_missing(handle);
    if (CDP_UNLIKELY(cdp_engine_is_threadless(streams->engine))) {
        return cdp_stream_synchronize(streams,
                                      handle); /* otherwise a loop of queries would never end */
    }
    cdp_lock_acquire(&streams->lock);
    struct cdp_stream *stream = cdp_stream_find(streams, handle);
    if (stream != NULL && stream == &stream->device->null) {
        struct scope scope = {
            .device = stream->device->number, .ticket = streams->ticket, .blocking_only = true};
        cdp_command_retire_all(streams, scope.device);
        status = find_pending(streams, &scope) != NULL ? CDP_NOT_READY : CDP_OK;
    } else if (stream != NULL) {
        cdp_command_retire(streams, stream);
        status = stream->head != NULL ? CDP_NOT_READY : CDP_OK;
    }
    if (stream != NULL && status == CDP_OK && joins) {
        cdp_stream_races_joined(streams, stream);
    }
    cdp_lock_release(&streams->lock);
    return status;
}

enum cdp_status cdp_stream_query(struct cdp_streams *streams, uint64_t handle)
{
    return query(streams, handle, true);
}

/* ---- Turns ---- */

static enum cdp_status begin_turn(struct cdp_streams *streams, uint64_t handle,
                                  struct cdp_batch *batch, struct cdp_command **turn,
                                  waiting **await) CDP_NEEDS(&streams->lock)
{
    struct cdp_stream *stream;
    enum cdp_status status = prepare(streams, handle, CDP_COMMAND_TURN, &stream, turn);
    if (status != CDP_OK) {
        return status;
    }
    atomic_store_explicit(&(*turn)->granted, false, memory_order_relaxed);
    (*turn)->race_number = cdp_stream_races_add(streams, stream, NULL);
    cdp_command_push(streams, stream, *turn);
    cdp_command_advance(streams, stream, batch);
    *await = way_to_wait(streams, stream, stream->newest);
    return CDP_OK;
}

enum cdp_status cdp_stream_begin_turn(struct cdp_streams *streams, uint64_t handle,
                                      struct cdp_command **turn)
{
    struct cdp_batch batch;
    cdp_batch_init(&batch);
    waiting *await;
    cdp_lock_acquire(&streams->lock);
    enum cdp_status status = begin_turn(streams, handle, &batch, turn, &await);
    cdp_lock_release(&streams->lock);
    if (status != CDP_OK) {
        return status;
    }
    cdp_batch_run(streams, &batch);
    if (turn_granted(*turn)) {
        return CDP_OK;
    }
    await(streams->engine, turn_granted, *turn);
    return CDP_OK;
}

enum cdp_status cdp_stream_try_turn(struct cdp_streams *streams, uint64_t handle,
                                    struct cdp_command **turn)
{
    *turn = NULL;
    enum cdp_status status = query(streams, handle, false);
    if (status != CDP_OK) {
        return status;
    }
    /* Another thread may still submit in between. Then this waits for its command, which is
     * correct, though slower. */
    return cdp_stream_begin_turn(streams, handle, turn);
}

void cdp_stream_end_turn(struct cdp_streams *streams, struct cdp_command *turn)
{
    (void)streams;
    cdp_command_finish(turn);
}
