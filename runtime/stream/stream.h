/* The host's streams and events.
 *
 * A stream is a queue of commands; its head runs, the rest waits. Commands have tickets from one
 * growing counter, so "everything submitted up to now" is one number. A command is complete exactly
 * when its stream's oldest pending ticket is above its own. Every wait is for such a pair (stream,
 * ticket). An event is a name for a pair. The legacy NULL stream's barrier puts wait commands into
 * the queues. Waits only ever name smaller tickets, so they cannot form a cycle.
 *
 * Streams and events are named by handles (base/handle.h). The values 0 and 1 name the legacy NULL
 * stream, 2 the calling thread's own default stream, of device 0. For device n CDP_STREAM_DEVICE *
 * n is added to them. Each stream and event belongs to a device; all devices have the same tickets,
 * so waits for events work between devices.
 *
 * Functions here may be called from any host thread, but not from device code or from a call that
 * is queued here. Exceptions are holds, and brief calls in streams that serve a hold: they may
 * queue work into such streams. */
#ifndef CDP_STREAM_STREAM_H
#define CDP_STREAM_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/options.h"
#include "base/status.h"
#include "exec/launch/chain.h"
#include "exec/loop/engine.h"

struct cdp_event_name;
struct cdp_streams;

enum {
    CDP_STREAM_NULL = 0,
    CDP_STREAM_LEGACY = 1,
    CDP_STREAM_PER_THREAD = 2,
    CDP_STREAM_TAIL = 3, /* only device code has this and the next one */
    CDP_STREAM_FREE = 4,
};

/* Between the values of the default streams of two devices. */
#define CDP_STREAM_DEVICE UINT64_C(256)
#define CDP_STREAM_DEFAULTS (CDP_MOST_DEVICES * CDP_STREAM_DEVICE)

static inline bool cdp_stream_is_default(uint64_t handle)
{
    return handle < CDP_STREAM_DEFAULTS;
}
static inline bool cdp_stream_is_null(uint64_t handle)
{
    return cdp_stream_is_default(handle) && handle % CDP_STREAM_DEVICE <= CDP_STREAM_LEGACY;
}
static inline bool cdp_stream_is_per_thread(uint64_t handle)
{
    return cdp_stream_is_default(handle) && handle % CDP_STREAM_DEVICE == CDP_STREAM_PER_THREAD;
}

/* In place of a device's number. */
enum { CDP_ALL_DEVICES = CDP_MOST_DEVICES };

/* The value of CUDA's flag with the same meaning. */
enum { CDP_STREAM_NON_BLOCKING = 1 };
enum { CDP_EVENT_BLOCKING_SYNC = 1, CDP_EVENT_DISABLE_TIMING = 2, CDP_EVENT_INTERPROCESS = 4 };

/* Borrows the engine until the process ends. */
enum cdp_status cdp_streams_create(struct cdp_engine *engine,
                                   struct cdp_streams **out) CDP_MUST_CHECK;
/* Waits for everything submitted so far to the device or to all devices, by any thread. */
void cdp_streams_synchronize(struct cdp_streams *streams, unsigned device);
/* Waits for everything on the device, then forgets its streams and events. */
void cdp_streams_reset(struct cdp_streams *streams, unsigned device);
/* What a program says about a stream's memory and about waits. Without an effect. */
struct cdp_stream_hints {
    void *window;
    size_t window_size;
    float hit_ratio;
    int hit, miss;   /* kinds of access; numbers of CUDA */
    int wait_policy; /* of CUDA; 0: the program has set none */
};
/* What a new stream is like. */
struct cdp_stream_traits {
    unsigned device, flags;
    int priority;
    struct cdp_stream_hints hints;
};
enum cdp_status cdp_stream_create(struct cdp_streams *streams,
                                  const struct cdp_stream_traits *traits,
                                  uint64_t *out) CDP_MUST_CHECK;
/* Pending work still runs. The default streams cannot be destroyed: CDP_INVALID_HANDLE. */
enum cdp_status cdp_stream_destroy(struct cdp_streams *streams, uint64_t handle) CDP_MUST_CHECK;
enum cdp_status cdp_stream_synchronize(struct cdp_streams *streams, uint64_t handle) CDP_MUST_CHECK;
/* CDP_OK if nothing is pending, CDP_NOT_READY otherwise. */
enum cdp_status cdp_stream_query(struct cdp_streams *streams, uint64_t handle) CDP_MUST_CHECK;
enum cdp_status cdp_stream_traits(struct cdp_streams *streams, uint64_t handle,
                                  struct cdp_stream_traits *out) CDP_MUST_CHECK;
/* The device and the flags stay. */
enum cdp_status cdp_stream_set_traits(struct cdp_streams *streams, uint64_t handle,
                                      const struct cdp_stream_traits *traits) CDP_MUST_CHECK;

/* Queues a launch; parameters are copied. The stream must be one of the launch's device, unless
 * launch->is_of_graph: else CDP_INVALID_HANDLE. */
enum cdp_status cdp_stream_launch(struct cdp_streams *streams, uint64_t handle,
                                  const struct cdp_launch *launch) CDP_MUST_CHECK;

struct cdp_command;

/* A queued function call. */
struct cdp_stream_call {
    void (*run)(void *data);
    /* Instead of run: a hold. Begins work in other streams, which the stream's next command comes
     * after. Must be brief, and not block. Returns true if the work is complete already. If not,
     * some thread then calls cdp_stream_end_hold. */
    bool (*begin)(void *data, struct cdp_command *hold);
    const void *data; /* size bytes, copied; run gets the copy, 16-byte aligned */
    size_t size;
    bool brief; /* short and not blocking: may run on any thread */
};
enum cdp_status cdp_stream_call(struct cdp_streams *streams, uint64_t handle,
                                const struct cdp_stream_call *call) CDP_MUST_CHECK;

void cdp_stream_end_hold(struct cdp_command *hold);
/* The work that the stream gets from now on is a part of the hold, which has begun. Its launches
 * are commands of their own, because the thread that queues them may run the engine's loop, and may
 * have other launches that it waits for. Such a stream never blocks a thread that queues work. */
struct cdp_stream_service {
    const struct cdp_command *hold;
    uint32_t launcher; /* with the race check: the launch by device code (races/history.h) that
                          asked for the work; 0: none */
};
enum cdp_status cdp_stream_serve_hold(struct cdp_streams *streams, uint64_t handle,
                                      const struct cdp_stream_service *service) CDP_MUST_CHECK;

/* A brief call, to be made when everything is complete that was submitted before to any stream; at
 * once if that is already so. */
enum cdp_status cdp_streams_call_after_all(struct cdp_streams *streams,
                                           const struct cdp_stream_call *call) CDP_MUST_CHECK;

/* A turn: a command whose work the calling thread does itself. Between begin and end, all earlier
 * commands of the stream are complete and no later one has started. */
enum cdp_status cdp_stream_begin_turn(struct cdp_streams *streams, uint64_t handle,
                                      struct cdp_command **turn) CDP_MUST_CHECK;
/* CDP_NOT_READY instead of waiting. */
enum cdp_status cdp_stream_try_turn(struct cdp_streams *streams, uint64_t handle,
                                    struct cdp_command **turn) CDP_MUST_CHECK;
void cdp_stream_end_turn(struct cdp_streams *streams, struct cdp_command *turn);
/* With the race check: the accesses that the calling thread begins now, or has ended, are those of
 * the turn. */
void cdp_stream_turn_checks(const struct cdp_command *turn, bool begins);
/* With the race check: the calling thread has waited for all work of the stream. */
void cdp_stream_note_wait(struct cdp_streams *streams, uint64_t handle);

/* CDP_ALL_DEVICES: it may be recorded in any stream. */
enum cdp_status cdp_event_create(struct cdp_streams *streams, unsigned device, unsigned flags,
                                 uint64_t *out) CDP_MUST_CHECK;
/* An event of another process (shared_event.h), and the name of one: CDP_INVALID_VALUE if it is
 * not CDP_EVENT_INTERPROCESS, CDP_NOT_PERMITTED if another process made it. */
enum cdp_status cdp_event_open(struct cdp_streams *streams, unsigned device,
                               const struct cdp_event_name *name, uint64_t *out) CDP_MUST_CHECK;
enum cdp_status cdp_event_name(struct cdp_streams *streams, uint64_t event,
                               struct cdp_event_name *out) CDP_MUST_CHECK;
enum cdp_status cdp_event_destroy(struct cdp_streams *streams, uint64_t event) CDP_MUST_CHECK;
/* CDP_INVALID_HANDLE also if the stream belongs to another device than the event. */
enum cdp_status cdp_event_record(struct cdp_streams *streams, uint64_t event,
                                 uint64_t stream) CDP_MUST_CHECK;
/* Later commands of the stream wait for the event's latest record. */
enum cdp_status cdp_stream_wait_event(struct cdp_streams *streams, uint64_t stream,
                                      uint64_t event) CDP_MUST_CHECK;
/* The flags with which it was made. */
enum cdp_status cdp_event_flags(struct cdp_streams *streams, uint64_t event,
                                unsigned *out) CDP_MUST_CHECK;
enum cdp_event_state { CDP_EVENT_INVALID, CDP_EVENT_NEVER_RECORDED, CDP_EVENT_RECORDED };
/* Only looks at the event: the calling thread does not come after it. */
enum cdp_event_state cdp_event_state(struct cdp_streams *streams, uint64_t event);
/* An event never recorded is complete. */
enum cdp_status cdp_event_query(struct cdp_streams *streams, uint64_t event) CDP_MUST_CHECK;
enum cdp_status cdp_event_synchronize(struct cdp_streams *streams, uint64_t event) CDP_MUST_CHECK;
/* CDP_INVALID_HANDLE if one of them was never recorded or has no timing, or if they belong to
 * different devices; CDP_NOT_READY. */
enum cdp_status cdp_event_elapsed(struct cdp_streams *streams, uint64_t from, uint64_t to,
                                  float *milliseconds) CDP_MUST_CHECK;

/* Why the calling thread's latest call returned CDP_INVALID_HANDLE: which handle, and its state. */
void cdp_streams_explain(struct cdp_streams *streams, char *out, size_t size);

#endif
