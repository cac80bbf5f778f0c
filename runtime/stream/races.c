/* Clocks of the host's streams. */
#include "stream/races.h"

#include "races/history.h"
#include "races/race.h"
#include "exec/report/races.h"
#include "exec/state/engine.h"

static bool is_on(const struct cdp_streams *streams)
{
    return CDP_UNLIKELY(streams->engine->modes.races);
}

/* What the next operation of the stream comes after. The NULL stream waits for all blocking
 * streams, and they for it. */
static void join_legacy(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock)
{
    (void)streams; /* used only to name its lock */
    struct cdp_stream *null = &stream->device->null;
    if (stream == null) {
        cdp_clock_join(&null->races.clock, stream->device->blocking_clock);
    } else if (stream->is_blocking && null->races.latest != 0) {
        cdp_clock_join(&stream->races.clock, null->races.clock);
        cdp_clock_add(&stream->races.clock, (uintptr_t)null, null->races.latest);
    }
}

uint32_t cdp_stream_races_add(struct cdp_streams *streams, struct cdp_stream *stream,
                              const struct cdp_launch *launch)
{
    if (!is_on(streams)) {
        return 0;
    }
    join_legacy(streams, stream);
    struct cdp_history_launch record = {.stream = (uintptr_t)stream,
                                        .clock = cdp_clock_share(stream->races.clock),
                                        .whole = stream->race_cause.hold,
                                        .launcher = stream->race_cause.launcher,
                                        .site = cdp_races_call_site};
    if (launch != NULL) {
        record.kernel = launch->kernel;
        record.site = launch->site;
        for (int i = 0; i < 3; i++) {
            record.grid_dim[i] = launch->grid_dim[i];
            record.block_dim[i] = launch->block_dim[i];
        }
    }
    stream->races.latest = cdp_history_host_launch(&record);
    cdp_clock_add(&stream->device->all_clock, (uintptr_t)stream, stream->races.latest);
    if (stream != &stream->device->null && stream->is_blocking) {
        cdp_clock_join(&stream->device->blocking_clock, stream->races.clock);
        cdp_clock_add(&stream->device->blocking_clock, (uintptr_t)stream, stream->races.latest);
    }
    return stream->races.latest;
}

void cdp_stream_races_serve(struct cdp_streams *streams, struct cdp_stream *stream,
                            const struct cdp_stream_service *service)
{
    if (!is_on(streams)) {
        return;
    }
    stream->race_cause =
        (struct cdp_race_cause){.hold = service->hold->race_number, .launcher = service->launcher};
    cdp_history_join_before(&stream->races.clock, stream->race_cause.hold);
    if (service->launcher != 0) {
        cdp_history_join_launcher(&stream->races.clock, service->launcher);
    }
}

void cdp_stream_races_record(struct cdp_streams *streams, struct cdp_stream *stream,
                             struct cdp_event *event)
{
    if (!is_on(streams)) {
        return;
    }
    join_legacy(streams, stream);
    struct cdp_race_clock *clock = cdp_clock_share(stream->races.clock);
    if (stream->races.latest != 0) {
        cdp_clock_add(&clock, (uintptr_t)stream, stream->races.latest);
    }
    cdp_clock_drop(event->clock);
    event->clock = clock;
}

void cdp_stream_races_wait(struct cdp_streams *streams, struct cdp_stream *stream,
                           const struct cdp_event *event)
{
    if (is_on(streams)) {
        cdp_clock_join(&stream->races.clock, event->clock);
        if (stream != &stream->device->null && stream->is_blocking) {
            cdp_clock_join(&stream->device->blocking_clock, event->clock);
        }
    }
}

void cdp_stream_races_joined(struct cdp_streams *streams, struct cdp_stream *stream)
{
    if (!is_on(streams)) {
        return;
    }
    if (stream == &stream->device->null) {
        cdp_history_host_joined(stream->device->blocking_clock, 0, 0);
    }
    cdp_history_host_joined(stream->races.clock, (uintptr_t)stream, stream->races.latest);
}

void cdp_stream_races_joined_event(struct cdp_streams *streams, const struct cdp_event *event)
{
    if (is_on(streams)) {
        cdp_history_host_joined(event->clock, 0, 0);
    }
}

struct cdp_race_clock *cdp_stream_races_pending(struct cdp_streams *streams, unsigned device)
{
    struct cdp_race_clock *clock = NULL;
    for (unsigned i = 0; is_on(streams) && i < streams->device_count; i++) {
        if (i == device || device == CDP_ALL_DEVICES) {
            cdp_clock_join(&clock, streams->devices[i].all_clock);
        }
    }
    return clock;
}

/* Another thread may have submitted meanwhile. Then only what was pending is before what follows.
 */
void cdp_stream_races_joined_all(struct cdp_streams *streams, struct cdp_race_clock *pending)
{
    if (is_on(streams) && streams->busy == NULL) {
        cdp_race_settled();
    }
    cdp_history_host_joined(pending, 0, 0);
    cdp_clock_drop(pending);
}

void cdp_stream_note_wait(struct cdp_streams *streams, uint64_t handle)
{
    if (!is_on(streams)) {
        return;
    }
    cdp_lock_acquire(&streams->lock);
    struct cdp_stream *stream = cdp_stream_find(streams, handle);
    if (stream != NULL) {
        cdp_stream_races_joined(streams, stream);
    }
    cdp_lock_release(&streams->lock);
}

void cdp_stream_turn_checks(const struct cdp_command *turn, bool begins)
{
    if (CDP_UNLIKELY(turn->race_number != 0)) {
        cdp_races_operation(begins ? turn->race_number : 0);
    }
}
