/* The host's streams. */
#include <stdatomic.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/error.h"
#include "api/handle.h"
#include "api/host_call.h"
#include "api/leak.h"
#include "api/memory.h"
#include "api/runtime.h"
#include "api/stream_attribute.h"
#include "base/lock.h"
#include "exec/report/profile.h"
#include "exec/report/races.h"
#include "mem/memmap.h"

enum { FIRST_PER_THREAD_ID = 16 }; /* of cudaStreamGetId */

static cudaError_t create(cudaStream_t *stream, unsigned int flags, int priority, const void *site)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (stream == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    uint64_t handle;
    struct cdp_stream_traits traits = {
        .device = cdp_device_number, .flags = flags, .priority = cdp_stream_priority(priority)};
    enum cdp_status status = cdp_stream_create(runtime->streams, &traits, &handle);
    if (status == CDP_OK) {
        *stream = cdp_stream_of_handle(handle);
        cdp_leak_made(CDP_LEAK_STREAM, handle, site);
    }
    return cdp_api_return(status);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    CDP_PROFILE_CALL();
    return create(stream, flags, priority, __builtin_return_address(0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    CDP_PROFILE_CALL();
    return create(stream, flags, 0, __builtin_return_address(0));
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    CDP_PROFILE_CALL();
    return create(stream, cudaStreamDefault, 0, __builtin_return_address(0));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on())) {
        cdp_capture_forget(stream);
    }
    enum cdp_status status = cdp_stream_destroy(runtime->streams, cdp_handle_of_stream(stream));
    if (status == CDP_OK) {
        cdp_leak_freed(cdp_handle_of_stream(stream));
    }
    return cdp_api_return(status);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_wait(stream, &error)) {
        return error;
    }
    enum cdp_status status = cdp_stream_synchronize(runtime->streams, cdp_handle_of_stream(stream));
    return cdp_api_synchronized(runtime, status);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_wait(stream, &error)) {
        return error;
    }
    enum cdp_status status = cdp_stream_query(runtime->streams, cdp_handle_of_stream(stream));
    return status == CDP_OK ? cdp_api_synchronized(runtime, status) : cdp_api_return(status);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) &&
        cdp_capture_wait(stream, event, flags == cudaEventWaitExternal, &error)) {
        return error;
    }
    if (flags == cudaEventWaitExternal) { /* only while the stream is captured */
        return cdp_api_fail(cudaErrorIllegalState);
    }
    return cdp_api_return(cdp_stream_wait_event(runtime->streams, cdp_handle_of_stream(stream),
                                                cdp_handle_of_event(event)));
}

/* ---- Properties of a stream ---- */

static cudaError_t look(cudaStream_t stream, const void *out, struct cdp_stream_traits *traits)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (out == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cdp_api_return(
        cdp_stream_traits(runtime->streams, cdp_handle_of_stream(stream), traits));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    CDP_PROFILE_CALL();
    struct cdp_stream_traits traits;
    cudaError_t error = look(stream, flags, &traits);
    if (error == cudaSuccess) {
        *flags = traits.flags;
    }
    return error;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    CDP_PROFILE_CALL();
    struct cdp_stream_traits traits;
    cudaError_t error = look(stream, priority, &traits);
    if (error == cudaSuccess) {
        *priority = traits.priority;
    }
    return error;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    CDP_PROFILE_CALL();
    struct cdp_stream_traits traits;
    cudaError_t error = look(stream, device, &traits);
    if (error == cudaSuccess) {
        *device = (int)traits.device;
    }
    return error;
}

/* The per-thread streams of a thread, each with a number of its own. Streams that the program makes
 * have larger numbers: their handles. */
static unsigned long long per_thread_id(void)
{
    static _Atomic unsigned long long latest = FIRST_PER_THREAD_ID;
    static __thread unsigned long long first; /* device 0's; the others follow */
    if (first == 0) {
        first = atomic_fetch_add_explicit(&latest, CDP_MOST_DEVICES, memory_order_relaxed);
    }
    return first + cdp_device_number;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    CDP_PROFILE_CALL();
    struct cdp_stream_traits traits;
    cudaError_t error = look(stream, id, &traits);
    if (error == cudaSuccess) {
        uint64_t handle = cdp_handle_of_stream(stream);
        *id = cdp_stream_is_null(handle)         ? (uintptr_t)cudaStreamLegacy
              : cdp_stream_is_per_thread(handle) ? per_thread_id()
                                                 : handle;
    }
    return error;
}

/* Memory is always shared, so to attach it to a stream only has an effect on the order. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t length,
                                     unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_stream_traits traits;
    cudaError_t error = look(stream, "", &traits);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_stream(stream, &error)) {
        return error;
    }
    struct cdp_memory memory;
    cdp_memory_find(ptr, &memory);
    bool is_whole = cdp_memory_is_managed(&memory) && ptr == (void *)memory.base &&
                    (length == 0 || length == memory.size);
    bool is_single = flags == cudaMemAttachSingle; /* to a stream that the program has made */
    if (!is_whole || (is_single && cdp_stream_is_null(cdp_handle_of_stream(stream))) ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && !is_single)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

/* ---- Host functions ---- */

struct host_call {
    struct cdp_runtime *runtime;
    unsigned device;       /* the current one when it was queued */
    cudaHostFn_t function; /* one of the two */
    cudaStreamCallback_t callback;
    cudaStream_t stream;
    void *data;
};

/* After a fault of the device, host functions are dropped, and callbacks are called with the
 * error. */
static void run_host_call(void *data)
{
    const struct host_call *call = data;
    enum cdp_status fault = cdp_engine_fault(call->runtime->engine, call->device, NULL);
    cdp_lock_expect_none();
    cdp_races_host_function();
    cdp_api_set_in_callback(true);
    struct cdp_profile_host host = {.stream = cdp_handle_of_stream(call->stream),
                                    .began = CDP_UNLIKELY(cdp_profile_is_on) ? cdp_os_now() : 0,
                                    .function = call->callback != NULL
                                                    ? (const void *)call->callback
                                                    : (const void *)call->function,
                                    .device = call->device};
    if (CDP_UNLIKELY(cdp_profile_is_on)) {
        cdp_profile_idles(); /* the worker's blocks end here */
    }
    if (call->callback != NULL) {
        call->callback(call->stream, cdp_error_of(fault), call->data);
    } else if (fault == CDP_OK) {
        call->function(call->data);
    }
    if (CDP_UNLIKELY(cdp_profile_is_on)) {
        cdp_profile_stream_did(&host);
    }
    cdp_api_set_in_callback(false);
}

enum cdp_status cdp_host_call_queue(struct cdp_runtime *runtime, uint64_t stream,
                                    const struct cudaHostNodeParams *params)
{
    struct host_call order = {.runtime = runtime,
                              .device = cdp_device_number,
                              .function = params->fn,
                              .stream = cdp_stream_of_handle(stream),
                              .data = params->userData};
    struct cdp_stream_call call = {.run = run_host_call, .data = &order, .size = sizeof order};
    return cdp_stream_call(runtime->streams, stream, &call);
}

/* A function becomes a node, a callback cannot. */
static bool is_captured(const struct host_call *order, cudaError_t *error)
{
    struct cudaHostNodeParams params = {.fn = order->function, .userData = order->data};
    return order->callback != NULL ? cdp_capture_refuses_stream(order->stream, error)
                                   : cdp_capture_host_call(order->stream, &params, error);
}

static cudaError_t queue_host_call(struct host_call *order)
{
    cudaError_t error = cdp_api_enter(&order->runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && is_captured(order, &error)) {
        return error;
    }
    order->device = cdp_device_number;
    struct cdp_stream_call call = {.run = run_host_call, .data = order, .size = sizeof *order};
    return cdp_api_return(
        cdp_stream_call(order->runtime->streams, cdp_handle_of_stream(order->stream), &call));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data)
{
    CDP_PROFILE_CALL();
    struct host_call order = {.function = fn, .stream = stream, .data = data};
    return fn == NULL ? cdp_api_fail(cudaErrorInvalidValue) : queue_host_call(&order);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct host_call order = {.callback = callback, .stream = stream, .data = data};
    return callback == NULL || flags != 0 ? cdp_api_fail(cudaErrorInvalidValue)
                                          : queue_host_call(&order);
}
