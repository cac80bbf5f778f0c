/* Streams and events as users have them: handles cast to pointers. */
#ifndef CDP_API_HANDLE_H
#define CDP_API_HANDLE_H

#include <stdint.h>

#include "driver_types.h"

#include "api/devices.h"
#include "stream/stream.h"

/* The default streams are those of the current device. */
static inline uint64_t cdp_handle_of_stream(cudaStream_t stream)
{
    uint64_t handle = (uintptr_t)(void *)stream;
    bool is_default = handle <= CDP_STREAM_PER_THREAD;
    return handle + (is_default ? cdp_device_number * CDP_STREAM_DEVICE : 0);
}

static inline uint64_t cdp_handle_of_event(cudaEvent_t event)
{
    return (uintptr_t)(void *)event;
}

static inline cudaStream_t cdp_stream_of_handle(uint64_t handle)
{
    return (cudaStream_t)(void *)(uintptr_t)handle;
}

static inline cudaEvent_t cdp_event_of_handle(uint64_t handle)
{
    return (cudaEvent_t)(void *)(uintptr_t)handle;
}

#endif
