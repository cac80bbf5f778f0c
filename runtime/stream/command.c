/* The queues of commands, and how they proceed.
 *
 * All state changes under the one lock. A command's operation (a launch, a call) is put into a
 * batch and started after the lock is released, so that the engine may call back at any time. */
#include "stream/command.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/valid.h"
#include "exec/report/races.h"
#include "exec/report/profile.h"
#include "os/os.h"

#define COMMANDS_PER_SLAB 32

struct slab {
    struct slab *next;
    struct cdp_command commands[COMMANDS_PER_SLAB];
};

static bool make_spares(struct cdp_streams *streams) CDP_NEEDS(&streams->lock)
{
    struct slab *slab = cdp_alloc(sizeof *slab);
    if (slab == NULL) {
        return false;
    }
    slab->next = streams->slabs;
    streams->slabs = slab;
    for (int i = 0; i < COMMANDS_PER_SLAB; i++) {
        struct cdp_command *command = &slab->commands[i];
        command->streams = streams;
        command->next = streams->spare;
        streams->spare = command;
    }
    return true;
}

struct cdp_command *cdp_command_take(struct cdp_streams *streams, enum cdp_command_kind kind)
{
    if (CDP_UNLIKELY(streams->spare == NULL) && !make_spares(streams)) {
        return NULL;
    }
    struct cdp_command *command = streams->spare;
    streams->spare = command->next;
    command->kind = kind;
    command->weight = 1;
    command->race_number = 0;
    command->started = false;
    command->large = NULL;
    return command;
}

void cdp_command_give(struct cdp_streams *streams, struct cdp_command *command)
{
    if (command->large != NULL) {
        cdp_free(command->large);
    }
    command->next = streams->spare;
    streams->spare = command;
}

void *cdp_command_data(struct cdp_command *command, size_t size)
{
    if (size <= sizeof command->data) {
        return command->data;
    }
    command->large = cdp_alloc(size);
    return command->large;
}

void cdp_stream_ref(struct cdp_stream *stream)
{
    stream->refs++;
}

void cdp_stream_unref(struct cdp_stream *stream)
{
    if (stream != NULL && --stream->refs == 0) {
        cdp_clock_drop(stream->races.clock);
        cdp_free(stream);
    }
}

void cdp_event_unref(struct cdp_event *event)
{
    if (event != NULL && --event->refs == 0) {
        cdp_stream_unref(event->stream);
        cdp_clock_drop(event->clock);
        if (event->shared.board != NULL) {
            cdp_shared_event_give(&event->shared);
        }
        cdp_free(event);
    }
}

static void set_oldest(struct cdp_stream *stream)
{
    uint64_t oldest = stream->head != NULL ? stream->head->ticket : CDP_NO_TICKET;
    /* Release pairs with the acquire in cdp_stream_is_done. */
    atomic_store_explicit(&stream->oldest, oldest, memory_order_release);
}

static void add_busy(struct cdp_streams *streams, struct cdp_stream *stream, uint32_t change,
                     memory_order order) CDP_NEEDS(&streams->lock)
{
    struct cdp_stream_device *device = stream->device;
    /* No exchange is necessary: only the owner of the lock writes. */
    uint32_t all = atomic_load_explicit(&streams->busy_count, memory_order_relaxed);
    uint32_t own = atomic_load_explicit(&device->busy_count, memory_order_relaxed);
    atomic_store_explicit(&device->busy_count, own + change, order);
    atomic_store_explicit(&streams->busy_count, all + change, order);
}

static void enter_busy(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock)
{
    stream->busy_previous = NULL;
    stream->busy_next = streams->busy;
    if (streams->busy != NULL) {
        streams->busy->busy_previous = stream;
    }
    streams->busy = stream;
    add_busy(streams, stream, 1, memory_order_relaxed);
    cdp_stream_ref(stream);
}

/* May free the stream. */
static void leave_busy(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock)
{
    if (stream->busy_previous != NULL) {
        stream->busy_previous->busy_next = stream->busy_next;
    } else {
        streams->busy = stream->busy_next;
    }
    if (stream->busy_next != NULL) {
        stream->busy_next->busy_previous = stream->busy_previous;
    }
    /* Release pairs with the acquire in all_idle: a thread that sees everything complete sees what
     * it wrote. */
    add_busy(streams, stream, (uint32_t)-1, memory_order_release);
    cdp_stream_unref(stream);
}

/* Removes the complete head from its stream, which may then be freed. */
static void take_off(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock)
{
    struct cdp_command *command = stream->head;
    stream->head = command->next;
    stream->length -= command->weight;
    set_oldest(stream);
    if (stream->head == NULL) {
        stream->tail = NULL;
    }
    CDP_CHECK_VALID_SAMPLE(stream->length, cdp_stream_is_valid(stream));
    if (stream->head == NULL) {
        leave_busy(streams, stream);
    }
    cdp_command_give(streams, command);
}

/* No thread waits for a resting chain: a thread that wants to wait closes it first. */
void cdp_command_close(struct cdp_streams *streams, struct cdp_stream *stream)
{
    struct cdp_command *tail = stream->tail;
    if (tail != NULL && tail->kind == CDP_COMMAND_LAUNCH && cdp_chain_close(&tail->chain)) {
        take_off(streams, stream); /* it was started, so it is also the head */
    }
}

void cdp_command_retire(struct cdp_streams *streams, struct cdp_stream *stream)
{
    const struct cdp_command *tail = stream->tail;
    if (tail != NULL && tail->kind == CDP_COMMAND_LAUNCH && cdp_chain_rests(&tail->chain)) {
        cdp_command_close(streams, stream);
    }
}

void cdp_command_close_all(struct cdp_streams *streams, unsigned device)
{
    struct cdp_stream *next;
    for (struct cdp_stream *busy = streams->busy; busy != NULL; busy = next) {
        next = busy->busy_next;
        if (cdp_stream_is_of(busy, device)) {
            cdp_command_close(streams, busy);
        }
    }
}

void cdp_command_retire_all(struct cdp_streams *streams, unsigned device)
{
    struct cdp_stream *next;
    for (struct cdp_stream *busy = streams->busy; busy != NULL; busy = next) {
        next = busy->busy_next;
        if (cdp_stream_is_of(busy, device)) {
            cdp_command_retire(streams, busy);
        }
    }
}

void cdp_command_push(struct cdp_streams *streams, struct cdp_stream *stream,
                      struct cdp_command *command)
{
    cdp_command_close(streams, stream);
    command->stream = stream;
    command->ticket = ++streams->ticket;
    command->next = NULL;
    stream->newest = command->ticket;
    if (stream->head == NULL) {
        stream->head = command;
        enter_busy(streams, stream);
        set_oldest(stream);
    } else {
        stream->tail->next = command;
    }
    stream->tail = command;
    stream->length++;
    CDP_CHECK_VALID_SAMPLE(stream->length, cdp_stream_is_valid(stream));
}

enum cdp_status cdp_command_push_wait(struct cdp_streams *streams, struct cdp_stream *stream,
                                      struct cdp_stream *on, uint64_t ticket)
{
    if (on == stream) {
        return CDP_OK;
    }
    if (on->newest <= ticket) {
        cdp_command_close(streams, on);
    }
    if (cdp_stream_is_done(on, ticket)) {
        return CDP_OK;
    }
    struct cdp_command *command = cdp_command_take(streams, CDP_COMMAND_WAIT);
    if (command == NULL) {
        return CDP_NO_MEMORY;
    }
    cdp_stream_ref(on);
    command->wait.stream = on;
    command->wait.ticket = ticket;
    command->wait.began = 0;
    command->wait.is_recorded = false;
    cdp_command_push(streams, stream, command);
    return CDP_OK;
}

/* To be called before a command of a NULL stream: waits for all work of the device's blocking
 * streams. */
static enum cdp_status push_null_barrier(struct cdp_streams *streams,
                                         struct cdp_stream_device *device) CDP_NEEDS(&streams->lock)
{
    struct cdp_stream *null = &device->null;
    struct cdp_stream *next;
    for (struct cdp_stream *busy = streams->busy; busy != NULL; busy = next) {
        next = busy->busy_next;
        if (busy == null || busy->device != device || !busy->is_blocking ||
            busy->null_waits_for == busy->newest) {
            continue;
        }
        enum cdp_status status = cdp_command_push_wait(streams, null, busy, busy->newest);
        if (status != CDP_OK) {
            return status;
        }
        busy->null_waits_for = busy->newest;
    }
    return CDP_OK;
}

enum cdp_status cdp_command_push_barrier(struct cdp_streams *streams, struct cdp_stream *stream)
{
    struct cdp_stream *null = &stream->device->null;
    if (stream == null) {
        return push_null_barrier(streams, stream->device);
    }
    if (!stream->is_blocking || null->head == NULL || stream->waits_for_null == null->newest) {
        return CDP_OK;
    }
    enum cdp_status status = cdp_command_push_wait(streams, stream, null, null->newest);
    if (status == CDP_OK) {
        stream->waits_for_null = null->newest;
    }
    return status;
}

static void add_stream(struct cdp_batch *batch, struct cdp_stream *stream)
{
    if (!stream->in_batch) {
        stream->in_batch = true;
        stream->advance_next = batch->streams;
        batch->streams = stream;
    }
}

static void wake_waiters(struct cdp_stream *stream, struct cdp_batch *batch)
{
    for (struct cdp_command **link = &stream->waiters; *link != NULL;) {
        struct cdp_command *waiter = *link;
        if (cdp_stream_is_done(stream, waiter->wait.ticket)) {
            *link = waiter->link;
            waiter->started = false;
            add_stream(batch, waiter->stream);
        } else {
            link = &waiter->link;
        }
    }
}

/* Whether a host thread's wait may have ended with the stream's last step. */
static bool ends_host_wait(const struct cdp_streams *streams, const struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock)
{
    const struct cdp_host_waiter *waiter = streams->host_waiters;
    for (; waiter != NULL; waiter = waiter->next) {
        if (waiter->stream == NULL
                ? streams->busy == NULL
                : waiter->stream == stream && cdp_stream_is_done(stream, waiter->ticket)) {
            return true;
        }
    }
    return false;
}

/* Like take_off, and notifies the waiters. */
static void pop(struct cdp_streams *streams, struct cdp_stream *stream, struct cdp_batch *batch)
    CDP_NEEDS(&streams->lock)
{
    cdp_stream_ref(stream);
    take_off(streams, stream);
    if (stream->waiters != NULL) {
        wake_waiters(stream, batch);
    }
    batch->notify |= ends_host_wait(streams, stream);
    cdp_stream_unref(stream);
}

static void stamp(struct cdp_command *command)
{
    struct cdp_event *event = command->event;
    if (CDP_UNLIKELY(event->shared.board != NULL)) {
        cdp_shared_event_complete(&event->shared, *(const uint64_t *)(const void *)command->data);
    }
    if ((event->flags & CDP_EVENT_DISABLE_TIMING) == 0 && event->ticket == command->ticket) {
        event->time = cdp_os_now();
    }
    cdp_event_unref(event);
}

/* For CDP_TRACE: the wait at the head of its stream begins now, or has ended. */
static void record_wait(struct cdp_command *head, bool has_ended)
{
    if (!has_ended && head->wait.is_recorded && head->wait.began == 0) {
        head->wait.began = cdp_os_now();
    } else if (has_ended && head->wait.began != 0) {
        struct cdp_profile_host host = {.stream = head->wait.handle,
                                        .began = head->wait.began,
                                        .device = head->stream->device->number};
        cdp_profile_stream_did(&host);
    }
}

/* Starts or completes the head; false if the stream must now wait. */
static bool step(struct cdp_streams *streams, struct cdp_stream *stream, struct cdp_batch *batch)
    CDP_NEEDS(&streams->lock)
{
    struct cdp_command *head = stream->head;
    switch (head->kind) {
    case CDP_COMMAND_LAUNCH:
    case CDP_COMMAND_CALL:
    case CDP_COMMAND_BRIEF:
    case CDP_COMMAND_HOLD:
        head->started = true;
        head->link = NULL;
        *batch->tail = head;
        batch->tail = &head->link;
        return false;
    case CDP_COMMAND_TURN:
        head->started = true;
        atomic_store_explicit(&head->granted, true, memory_order_release);
        batch->notify = true;
        return false;
    case CDP_COMMAND_RECORD:
        stamp(head);
        pop(streams, stream, batch);
        return true;
    case CDP_COMMAND_WAIT: {
        struct cdp_stream *on = head->wait.stream;
        bool is_done = cdp_stream_is_done(on, head->wait.ticket);
        record_wait(head, is_done);
        if (!is_done) {
            head->started = true;
            head->link = on->waiters;
            on->waiters = head;
            return false;
        }
        pop(streams, stream, batch);
        cdp_stream_unref(on);
        return true;
    }
    }
    return false;
}

void cdp_command_advance(struct cdp_streams *streams, struct cdp_stream *stream,
                         struct cdp_batch *batch)
{
    cdp_stream_ref(stream);
    add_stream(batch, stream);
    while (batch->streams != NULL) {
        struct cdp_stream *next = batch->streams;
        batch->streams = next->advance_next;
        next->in_batch = false;
        cdp_stream_ref(next);
        while (next->head != NULL && !next->head->started && step(streams, next, batch)) {
        }
        cdp_stream_unref(next);
    }
    cdp_stream_unref(stream);
}

/* The started head of its stream is complete. */
static void complete(struct cdp_streams *streams, struct cdp_command *command,
                     struct cdp_batch *batch) CDP_NEEDS(&streams->lock)
{
    struct cdp_stream *stream = command->stream;
    cdp_stream_ref(stream);
    pop(streams, stream, batch);
    cdp_command_advance(streams, stream, batch);
    cdp_stream_unref(stream);
}

void cdp_command_finish(struct cdp_command *command)
{
    struct cdp_streams *streams = command->streams;
    struct cdp_batch batch;
    cdp_batch_init(&batch);
    cdp_lock_acquire(&streams->lock);
    complete(streams, command, &batch);
    cdp_lock_release(&streams->lock);
    cdp_batch_run(streams, &batch);
}

void cdp_command_launches_done(struct cdp_chain *chain)
{
    cdp_command_finish(
        (struct cdp_command *)(void *)((char *)chain - offsetof(struct cdp_command, chain)));
}

static void *data_of(struct cdp_command *command)
{
    return command->large != NULL ? command->large : command->data;
}

static void run_call(struct cdp_engine_task *task)
{
    struct cdp_command *command = (struct cdp_command *)(void *)task;
    uint32_t number = command->race_number;
    if (CDP_UNLIKELY(number != 0)) {
        cdp_races_operation(number);
    }
    command->call.run(data_of(command));
    if (CDP_UNLIKELY(number != 0)) {
        cdp_races_operation(0);
    }
    cdp_command_finish(command);
}

/* Completes a command of the batch that runs. Commands that can now start join the batch. */
static void finish_within(struct cdp_streams *streams, struct cdp_command *command,
                          struct cdp_batch *batch)
{
    cdp_lock_acquire(&streams->lock);
    complete(streams, command, batch);
    cdp_lock_release(&streams->lock);
}

void cdp_batch_run(struct cdp_streams *streams, struct cdp_batch *batch)
{
    while (batch->head != NULL) {
        struct cdp_command *command = batch->head;
        batch->head = command->link;
        if (batch->head == NULL) {
            batch->tail = &batch->head;
        }
        switch (command->kind) {
        case CDP_COMMAND_LAUNCH:
            cdp_engine_submit(streams->engine, &command->chain);
            break;
        case CDP_COMMAND_CALL:
            command->task.run = run_call;
            cdp_engine_run_task(streams->engine, &command->task);
            break;
        case CDP_COMMAND_BRIEF:
            command->call.run(data_of(command));
            finish_within(streams, command, batch);
            break;
        case CDP_COMMAND_HOLD: /* if it does not end here, it may have ended already */
            if (command->call.begin(data_of(command), command)) {
                finish_within(streams, command, batch);
            }
            break;
        case CDP_COMMAND_RECORD:
        case CDP_COMMAND_WAIT:
        case CDP_COMMAND_TURN:
            break; /* never in a batch */
        }
    }
    if (batch->notify) {
        batch->notify = false;
        cdp_engine_notify(streams->engine);
    }
}
