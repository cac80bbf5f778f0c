/* Events: names for positions in streams, with the time at which they were reached. */
#include "base/alloc.h"
#include "exec/report/profile.h"
#include "os/os.h"
#include "stream/command.h"
#include "stream/races.h"
#include "stream/stream.h"

/* A new event with its handle. Takes over shared, also after an error. */
static enum cdp_status add(struct cdp_streams *streams, unsigned device, unsigned flags,
                           const struct cdp_shared_event *shared, uint64_t *out)
{
    struct cdp_event *event = cdp_alloc_zero(sizeof *event);
    if (event != NULL) {
        event->device = device;
        event->flags = flags;
        event->refs = 1;
        event->shared = *shared;
        cdp_lock_acquire(&streams->lock);
        *out = cdp_handle_create(&streams->event_handles, event);
        cdp_lock_release(&streams->lock);
    }
    if (*out == 0) {
        if (shared->board != NULL) {
            cdp_shared_event_give(shared);
        }
        cdp_free(event);
    }
    return *out != 0 ? CDP_OK : CDP_NO_MEMORY;
}

enum cdp_status cdp_event_create(struct cdp_streams *streams, unsigned device, unsigned flags,
                                 uint64_t *out)
{
    *out = 0;
    unsigned known = CDP_EVENT_BLOCKING_SYNC | CDP_EVENT_DISABLE_TIMING | CDP_EVENT_INTERPROCESS;
    bool needs_no_timing = (flags & CDP_EVENT_INTERPROCESS) != 0;
    if ((flags & ~known) != 0 || (needs_no_timing && (flags & CDP_EVENT_DISABLE_TIMING) == 0)) {
        return CDP_INVALID_VALUE;
    }
    struct cdp_shared_event shared = {.board = NULL};
    enum cdp_status status = needs_no_timing ? cdp_shared_event_create(&shared) : CDP_OK;
    return status != CDP_OK ? status : add(streams, device, flags, &shared, out);
}

enum cdp_status cdp_event_open(struct cdp_streams *streams, unsigned device,
                               const struct cdp_event_name *name, uint64_t *out)
{
    *out = 0;
    struct cdp_shared_event shared;
    enum cdp_status status = cdp_shared_event_open(name, &shared);
    return status != CDP_OK ? status
                            : add(streams, device,
                                  CDP_EVENT_INTERPROCESS | CDP_EVENT_DISABLE_TIMING, &shared, out);
}

enum cdp_status cdp_event_name(struct cdp_streams *streams, uint64_t handle,
                               struct cdp_event_name *out)
{
    cdp_lock_acquire(&streams->lock);
    const struct cdp_event *event = cdp_handle_find(&streams->event_handles, handle);
    bool may = event != NULL && event->shared.board != NULL;
    if (may) {
        cdp_shared_event_name(&event->shared, out);
    }
    cdp_lock_release(&streams->lock);
    if (event == NULL) {
        return cdp_stream_refuse(CDP_USE_EVENT, handle);
    }
    if (!may) {
        return CDP_INVALID_VALUE;
    }
    return out->process == cdp_os_process_number() ? CDP_OK : CDP_NOT_PERMITTED;
}

enum cdp_status cdp_event_flags(struct cdp_streams *streams, uint64_t handle, unsigned *out)
{
    cdp_lock_acquire(&streams->lock);
    const struct cdp_event *event = cdp_handle_find(&streams->event_handles, handle);
    if (event != NULL) {
        *out = event->flags;
    }
    cdp_lock_release(&streams->lock);
    return event != NULL ? CDP_OK : cdp_stream_refuse(CDP_USE_EVENT, handle);
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
    if (event->shared.board != NULL) {
        event->shared_record = cdp_shared_event_record(&event->shared);
        *(uint64_t *)cdp_command_data(command, sizeof event->shared_record) = event->shared_record;
    }
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

/* ---- Records of other processes ---- */

/* Whether the event's latest record is one that this process made by another handle, or another
 * process. Then *record is its number, and *shared counts. */
static bool take_foreign(const struct cdp_event *event, struct cdp_shared_event *shared,
                         uint64_t *record)
{
    if (CDP_LIKELY(event == NULL || event->shared.board == NULL)) {
        return false;
    }
    *record = cdp_shared_event_latest(&event->shared);
    if (*record == event->shared_record || cdp_shared_event_is_done(&event->shared, *record)) {
        return false;
    }
    *shared = event->shared;
    cdp_shared_event_take(shared);
    return true;
}

/* Blocks the calling thread. Nobody else may run the work of this process that the record comes
 * after. */
static void wait_for_foreign(struct cdp_streams *streams, const struct cdp_shared_event *shared,
                             uint64_t record)
{
    if (cdp_engine_is_threadless(streams->engine)) {
        cdp_streams_synchronize(streams, CDP_ALL_DEVICES);
    }
    cdp_shared_event_wait(shared, record);
    cdp_shared_event_give(shared);
}

/* A wait in a stream. Owned by the thread that waits, then by end_wait. */
struct foreign_wait {
    struct cdp_shared_wait wait;
    struct cdp_command *hold;
};

static void end_wait(void *data)
{
    struct foreign_wait *wait = data;
    cdp_shared_event_give(&wait->wait.event);
    cdp_stream_end_hold(wait->hold);
    cdp_free(wait);
}

static bool begin_wait(void *data, struct cdp_command *hold)
{
    struct foreign_wait *wait = *(struct foreign_wait **)data;
    wait->hold = hold;
    if (cdp_shared_event_is_done(&wait->wait.event, wait->wait.record)) {
        cdp_shared_event_give(&wait->wait.event);
        cdp_free(wait);
        return true;
    }
    if (cdp_shared_event_call(&wait->wait)) {
        return false;
    }
    cdp_shared_event_wait(&wait->wait.event, wait->wait.record); /* there is no thread for it */
    cdp_shared_event_give(&wait->wait.event);
    cdp_free(wait);
    return true;
}

/* Without threads of its own the engine cannot continue work when something outside has happened:
 * then this thread waits. */
static enum cdp_status queue_wait(struct cdp_streams *streams, uint64_t stream,
                                  const struct cdp_shared_event *shared, uint64_t record)
{
    struct foreign_wait *wait = NULL;
    if (!cdp_engine_is_threadless(streams->engine)) {
        wait = cdp_alloc(sizeof *wait);
    }
    if (wait == NULL) {
        wait_for_foreign(streams, shared, record);
        return CDP_OK;
    }
    *wait = (struct foreign_wait){
        .wait = {.event = *shared, .record = record, .run = end_wait, .data = wait}};
    struct cdp_stream_call call = {.begin = begin_wait, .data = &wait, .size = sizeof wait};
    enum cdp_status status = cdp_stream_call(streams, stream, &call);
    if (status != CDP_OK) {
        cdp_shared_event_give(shared);
        cdp_free(wait);
    }
    return status;
}

/* For CDP_TRACE: the last command of a stream, if it is a wait. */
static void mark_wait(struct cdp_command *tail, uint64_t handle)
{
    if (tail != NULL && tail->kind == CDP_COMMAND_WAIT) {
        tail->wait.is_recorded = true;
        tail->wait.handle = handle;
    }
}

enum cdp_status cdp_stream_wait_event(struct cdp_streams *streams, uint64_t handle,
                                      uint64_t event_handle)
{
    struct cdp_batch batch;
    cdp_batch_init(&batch);
    struct cdp_shared_event shared;
    uint64_t record_number;
    bool is_foreign = false;
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
            if (CDP_UNLIKELY(cdp_profile_is_on)) {
                mark_wait(stream->tail, handle);
            }
            cdp_stream_races_wait(streams, stream, event);
        }
        is_foreign = status == CDP_OK && take_foreign(event, &shared, &record_number);
        cdp_command_advance(streams, stream, &batch);
    }
    cdp_lock_release(&streams->lock);
    cdp_batch_run(streams, &batch);
    return is_foreign ? queue_wait(streams, handle, &shared, record_number) : status;
}

static enum cdp_status state_of(const struct cdp_event *event)
{
    bool done = event->stream == NULL || cdp_stream_is_done(event->stream, event->ticket);
    if (CDP_UNLIKELY(done && event->shared.board != NULL)) {
        done = cdp_shared_event_is_done(&event->shared, cdp_shared_event_latest(&event->shared));
    }
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
    struct cdp_shared_event shared;
    uint64_t record_number;
    cdp_lock_acquire(&streams->lock);
    const struct cdp_event *event = cdp_handle_find(&streams->event_handles, handle);
    bool is_foreign = take_foreign(event, &shared, &record_number);
    if (event != NULL && event->stream != NULL) {
        cdp_stream_wait_ticket(streams, event->stream, event->ticket);
        cdp_stream_races_joined_event(streams, event);
    }
    cdp_lock_release(&streams->lock);
    if (is_foreign) {
        wait_for_foreign(streams, &shared, record_number);
    }
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
