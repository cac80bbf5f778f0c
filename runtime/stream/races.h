/* The race check: what orders the work of the host's streams.
 *
 * The order that CUDA promises does not depend on what is complete when a call is made. So it is
 * kept here, as clocks (races/clock.h), apart from the queues. All functions need the lock of the
 * streams, and do nothing unless the engine checks races. Those that callers of the streams need,
 * without the lock, are in stream.h. */
#ifndef CDP_STREAM_RACES_H
#define CDP_STREAM_RACES_H

#include <stdint.h>

#include "stream/command.h"

/* The stream gets a launch, or with NULL a copy or a host function. Returns its number; 0 without
 * the check. */
uint32_t cdp_stream_races_add(struct cdp_streams *streams, struct cdp_stream *stream,
                              const struct cdp_launch *launch) CDP_NEEDS(&streams->lock);
/* The stream's next operations are parts of the hold: they come after what comes before it, and
 * what comes after it comes after them. They come after the launch by device code that asked for
 * them. */
void cdp_stream_races_serve(struct cdp_streams *streams, struct cdp_stream *stream,
                            const struct cdp_stream_service *service) CDP_NEEDS(&streams->lock);
/* The event records the stream's position; the stream waits for the event. */
void cdp_stream_races_record(struct cdp_streams *streams, struct cdp_stream *stream,
                             struct cdp_event *event) CDP_NEEDS(&streams->lock);
void cdp_stream_races_wait(struct cdp_streams *streams, struct cdp_stream *stream,
                           const struct cdp_event *event) CDP_NEEDS(&streams->lock);
/* The host has waited: for a stream (the NULL stream: also for those that it waits for), for an
 * event. */
void cdp_stream_races_joined(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock);
void cdp_stream_races_joined_event(struct cdp_streams *streams, const struct cdp_event *event)
    CDP_NEEDS(&streams->lock);
/* A wait for everything: what is pending when it begins, and the end of the wait. */
struct cdp_race_clock *cdp_stream_races_pending(struct cdp_streams *streams, unsigned device)
    CDP_NEEDS(&streams->lock);
void cdp_stream_races_joined_all(struct cdp_streams *streams, struct cdp_race_clock *pending)
    CDP_NEEDS(&streams->lock);

#endif
