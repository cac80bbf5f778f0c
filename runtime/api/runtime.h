/* The one global object of the host API. The first call that needs it starts it. */
#ifndef CDP_API_RUNTIME_H
#define CDP_API_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "driver_types.h"

#include "api/devices.h"
#include "api/register.h"
#include "base/options.h"
#include "base/status.h"
#include "exec/loop/engine.h"
#include "stream/stream.h"
#include "texture/table.h"

#define CDP_DEVICE_HEAP_DEFAULT ((size_t)8 << 20)
#define CDP_PRINTF_FIFO_DEFAULT ((size_t)8650752)

/* Life: the registry can be used before main, the rest after the first start. Nothing is destroyed
 * before the process ends, because other threads may still make calls. */
struct cdp_runtime {
    struct cdp_registry registry;
    /* From here on const or thread-safe once started. */
    struct cdp_options options;
    struct cdp_engine *engine;   /* owned */
    struct cdp_streams *streams; /* owned */
    struct cdp_texture_table textures;
    unsigned device_count; /* const */
    struct cdp_device devices[CDP_MOST_DEVICES];
};

/* The runtime once started; NULL before. */
struct cdp_runtime *cdp_runtime_running(void);
/* The calling thread's current device. */
static inline struct cdp_device *cdp_device_current(struct cdp_runtime *runtime)
{
    return &runtime->devices[cdp_device_number];
}
/* Starts to count allocations for CDP_FAIL_ALLOC, before the first allocation. Later calls do
 * nothing. */
void cdp_runtime_count_allocations(void);
/* The registry, started or not. */
struct cdp_registry *cdp_runtime_registry(void);

/* Whether there was a host call. Calls of the driver API that make one reset it. */
extern _Atomic bool cdp_api_is_used;

/* The start of nearly every host call: starts the runtime, refuses calls from stream callbacks, and
 * reports a sticky fault of the current device. On success *runtime is set. */
cudaError_t cdp_api_enter(struct cdp_runtime **runtime) CDP_MUST_CHECK;
/* The same, but continues after a fault: for calls that must work on a device with a fault, and for
 * those that need no device. */
cudaError_t cdp_api_enter_any(struct cdp_runtime **runtime) CDP_MUST_CHECK;
/* The end of a call that has waited for the current device: writes its output, and reports a fault,
 * else status, else an error that device code left for the host. */
cudaError_t cdp_api_synchronized(struct cdp_runtime *runtime, enum cdp_status status);
/* The same for a call that waits first and then does its own work: only a fault prevents this
 * work. */
cudaError_t cdp_api_waited(struct cdp_runtime *runtime);

#endif
