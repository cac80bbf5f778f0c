/* Events: names for positions in streams, with the time at which they were reached. */
#include "base/alloc.h"
#include "stream/command.h"
#include "stream/races.h"
#include "stream/stream.h"

enum cdp_status cdp_event_create(struct cdp_streams *streams, unsigned device, unsigned flags,
                                 uint64_t *out)
{
    *out = 0;
    unsigned known = CDP_EVENT_BLOCKING_SYNC | CDP_EVENT_DISABLE_TIMING | CDP_EVENT_INTERPROCESS;
    bool needs_no_timing = (flags & CDP_EVENT_INTERPROCESS) != 0;
    if ((flags & ~known) != 0 || (needs_no_timing && (flags & CDP_EVENT_DISABLE_TIMING) == 0)) {
        return CDP_INVALID_VALUE;
    }
    if (needs_no_timing) {
        return CDP_NOT_SUPPORTED;
    }
    struct cdp_event *event = cdp_alloc_zero(sizeof *event);
    if (event == NULL) {
        return CDP_NO_MEMORY;
    }
    event->device = device;
    event->flags = flags;
    event->refs = 1;
    cdp_lock_acquire(&streams->lock);
    *out = cdp_handle_create(&streams->event_handles, event);
    cdp_lock_release(&streams->lock);
    if (*out == 0) {
        cdp_free(event);
        return CDP_NO_MEMORY;
    }
    return CDP_OK;
}

enum cdp_status cdp_event_destroy(struct cdp_streams *streams, uint64_t handle)
{
    cdp_lock_acquire(&streams->lock);
    struct cdp_event *event = cdp_handle_remove(&streams->event_handles, handle);
    cdp_event_unref(event);
    cdp_lock_release(&streams->lock);
    return event != NULL ? CDP_OK : cdp_stream_refuse(CDP_USE_EVENT, handle);
}

/* Makes the event name the command, which is then queued. */
static void record(struct cdp_streams *streams, struct cdp_event *event, struct cdp_stream *stream,
                   struct cdp_command *command) CDP_NEEDS(&streams->lock)
{
    cdp_stream_ref(stream);
    cdp_stream_unref(event->stream);
    event->stream = stream;
    event->refs++;
    command->event = event;
    cdp_command_push(streams, stream, command);
    event->ticket = command->ticket;
    cdp_stream_races_record(streams, stream, event);
}

enum cdp_status cdp_event_record(struct cdp_streams *streams, uint64_t handle, uint64_t to)
{
    struct cdp_batch batch;
    cdp_batch_init(&batch);
    enum cdp_status status = cdp_stream_refuse(CDP_USE_EVENT, handle);
    cdp_lock_acquire(&streams->lock);
    struct cdp_event *event = cdp_handle_find(&streams->event_handles, handle);
    struct cdp_stream *stream = cdp_stream_find(streams, to);
    cdp_streams_note_submitter(streams, stream);
    if (stream == NULL) {
        status = cdp_stream_missing(to);
    }
    if (event != NULL && stream != NULL && !cdp_stream_is_of(stream, event->device)) {
        status = cdp_stream_refuse_device(event->device, stream->device->number);
    } else if (event != NULL && stream != NULL) {
        struct cdp_command *command = cdp_command_take(streams, CDP_COMMAND_RECORD);
        status = command == NULL ? CDP_NO_MEMORY : cdp_command_push_barrier(streams, stream);
        if (status == CDP_OK) {
            record(streams, event, stream, command);
        } else if (command != NULL) {
            cdp_command_give(streams, command);
        }
        cdp_command_advance(streams, stream, &batch);
    }
    cdp_lock_release(&streams->lock);
    cdp_batch_run(streams, &batch);
    return status;
}

enum cdp_status cdp_stream_wait_event(struct cdp_streams *streams, uint64_t handle,
                                      uint64_t event_handle)
{
    struct cdp_batch batch;
    cdp_batch_init(&batch);
    enum cdp_status status = cdp_stream_refuse(CDP_USE_EVENT, event_handle);
    cdp_lock_acquire(&streams->lock);
    const struct cdp_event *event = cdp_handle_find(&streams->event_handles, event_handle);
    struct cdp_stream *stream = cdp_stream_find(streams, handle);
    cdp_streams_note_submitter(streams, stream);
    if (stream == NULL) {
        status = cdp_stream_missing(handle);
    }
    if (event != NULL && stream != NULL) {
        status = cdp_command_push_barrier(streams, stream);
        if (status == CDP_OK && event->stream != NULL) {
            status = cdp_command_push_wait(streams, stream, event->stream, event->ticket);
            cdp_stream_races_wait(streams, stream, event);
        }
        cdp_command_advance(streams, stream, &batch);
    }
    cdp_lock_release(&streams->lock);
    cdp_batch_run(streams, &batch);
    return status;
}

static enum cdp_status state_of(const struct cdp_event *event)
{
    bool done = event->stream == NULL || cdp_stream_is_done(event->stream, event->ticket);
    return done ? CDP_OK : CDP_NOT_READY;
}

enum cdp_event_state cdp_event_state(struct cdp_streams *streams, uint64_t handle)
{
    cdp_lock_acquire(&streams->lock);
    const struct cdp_event *event = cdp_handle_find(&streams->event_handles, handle);
    enum cdp_event_state state = event == NULL           ? CDP_EVENT_INVALID
                                 : event->stream == NULL ? CDP_EVENT_NEVER_RECORDED
                                                         : CDP_EVENT_RECORDED;
    cdp_lock_release(&streams->lock);
    return state;
}

enum cdp_status cdp_event_query(struct cdp_streams *streams, uint64_t handle)
{
    if (CDP_UNLIKELY(cdp_engine_is_threadless(streams->engine))) {
        return cdp_event_synchronize(streams, handle);
    }
    cdp_lock_acquire(&streams->lock);
    const struct cdp_event *event = cdp_handle_find(&streams->event_handles, handle);
    enum cdp_status status =
        event == NULL ? cdp_stream_refuse(CDP_USE_EVENT, handle) : state_of(event);
    if (status == CDP_OK) {
        cdp_stream_races_joined_event(streams, event);
    }
    cdp_lock_release(&streams->lock);
    return status;
}

enum cdp_status cdp_event_synchronize(struct cdp_streams *streams, uint64_t handle)
{
    cdp_lock_acquire(&streams->lock);
    const struct cdp_event *event = cdp_handle_find(&streams->event_handles, handle);
    if (event != NULL && event->stream != NULL) {
        cdp_stream_wait_ticket(streams, event->stream, event->ticket);
        cdp_stream_races_joined_event(streams, event);
    }
    cdp_lock_release(&streams->lock);
    return event != NULL ? CDP_OK : cdp_stream_refuse(CDP_USE_EVENT, handle);
}

static bool has_time(const struct cdp_event *event)
{
    return event != NULL && event->stream != NULL && (event->flags & CDP_EVENT_DISABLE_TIMING) == 0;
}

enum cdp_status cdp_event_elapsed(struct cdp_streams *streams, uint64_t from, uint64_t to,
                                  float *milliseconds)
{
    enum cdp_status status = CDP_OK;
    cdp_lock_acquire(&streams->lock);
    const struct cdp_event *first = cdp_handle_find(&streams->event_handles, from);
    const struct cdp_event *last = cdp_handle_find(&streams->event_handles, to);
    if (!has_time(first) || !has_time(last)) {
        const struct cdp_event *culprit = has_time(first) ? last : first;
        status = cdp_stream_refuse(culprit != NULL ? CDP_USE_TIME : CDP_USE_EVENT,
                                   has_time(first) ? to : from);
    } else if (first->device != last->device) {
        status = cdp_stream_refuse_device(first->device, last->device);
    } else {
        status = state_of(first) != CDP_OK ? CDP_NOT_READY : state_of(last);
    }
    if (status == CDP_OK) {
        cdp_stream_races_joined_event(streams, first);
        cdp_stream_races_joined_event(streams, last);
        *milliseconds = (float)((double)(int64_t)(last->time - first->time) * 1e-6);
    }
    cdp_lock_release(&streams->lock);
    return status;
}
