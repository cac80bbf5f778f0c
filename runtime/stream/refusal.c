/* Handles that calls refuse, and why. */
#include <stdio.h>

#include "stream/command.h"

/* The reason why the calling thread's latest call returned CDP_INVALID_HANDLE. */
static __thread struct {
    enum cdp_handle_use use;
    uint64_t handle;
    unsigned devices[2]; /* CDP_USE_DEVICE */
} bad;

enum cdp_status cdp_stream_refuse(enum cdp_handle_use use, uint64_t handle)
{
    bad.use = use;
    bad.handle = handle;
    return CDP_INVALID_HANDLE;
}

enum cdp_status cdp_stream_refuse_device(unsigned first, unsigned second)
{
    bad.devices[0] = first;
    bad.devices[1] = second;
    return cdp_stream_refuse(CDP_USE_DEVICE, 0);
}

enum cdp_status cdp_stream_missing(uint64_t handle)
{
    return cdp_stream_is_per_thread(handle) ? CDP_NO_MEMORY
                                            : cdp_stream_refuse(CDP_USE_STREAM, handle);
}

void cdp_streams_explain(struct cdp_streams *streams, char *out, size_t size)
{
    if (bad.use == CDP_USE_DEVICE) {
        snprintf(
            out, size,
            "what is used together belongs to different devices, %u and %u: a launch needs a "
            "stream of the current device (cudaSetDevice), and an event a stream of its device",
            bad.devices[0], bad.devices[1]);
        return;
    }
    bool is_stream = bad.use == CDP_USE_STREAM;
    cdp_lock_acquire(&streams->lock);
    enum cdp_handle_state as_stream = cdp_handle_state(&streams->stream_handles, bad.handle);
    enum cdp_handle_state as_event = cdp_handle_state(&streams->event_handles, bad.handle);
    cdp_lock_release(&streams->lock);
    enum cdp_handle_state right = is_stream ? as_stream : as_event;
    enum cdp_handle_state wrong = is_stream ? as_event : as_stream;
    bool is_device = is_stream && (bad.handle == CDP_STREAM_TAIL || bad.handle == CDP_STREAM_FREE);
    const char *reason = bad.use == CDP_USE_TIME       ? "was never recorded, or without timing"
                         : right == CDP_HANDLE_ENDED   ? "was destroyed"
                         : wrong != CDP_HANDLE_FOREIGN ? (is_stream ? "is an event" : "is a stream")
                         : bad.handle == 0             ? "is NULL"
                         : is_device                   ? "is for launches by device code"
                                                       : "was not made by the host";
    snprintf(out, size, "%s %#llx %s", is_stream ? "stream" : "event",
             (unsigned long long)bad.handle, reason);
}
