/* The host's events. */
#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/error.h"
#include "api/handle.h"
#include "api/leak.h"
#include "api/runtime.h"
#include "exec/report/profile.h"

static cudaError_t create(cudaEvent_t *event, unsigned int flags, const void *site)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (event == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    uint64_t handle;
    enum cdp_status status = cdp_event_create(runtime->streams, cdp_device_number, flags, &handle);
    if (status == CDP_OK) {
        *event = cdp_event_of_handle(handle);
        cdp_leak_made(CDP_LEAK_EVENT, handle, site);
    }
    return cdp_api_return(status);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    CDP_PROFILE_CALL();
    return create(event, flags, __builtin_return_address(0));
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    CDP_PROFILE_CALL();
    return create(event, cudaEventDefault, __builtin_return_address(0));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    enum cdp_status status = cdp_event_destroy(runtime->streams, cdp_handle_of_event(event));
    if (status == CDP_OK) {
        cdp_leak_freed(cdp_handle_of_event(event));
    }
    return cdp_api_return(status);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) &&
        cdp_capture_record(stream, event, flags == cudaEventRecordExternal, &error)) {
        return error;
    }
    if (flags == cudaEventRecordExternal) { /* only while the stream is captured */
        return cdp_api_fail(cudaErrorIllegalState);
    }
    return cdp_api_return(cdp_event_record(runtime->streams, cdp_handle_of_event(event),
                                           cdp_handle_of_stream(stream)));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_event(event, &error)) {
        return error;
    }
    enum cdp_status status = cdp_event_query(runtime->streams, cdp_handle_of_event(event));
    return status == CDP_OK ? cdp_api_synchronized(runtime, status) : cdp_api_return(status);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_event(event, &error)) {
        return error;
    }
    enum cdp_status status = cdp_event_synchronize(runtime->streams, cdp_handle_of_event(event));
    return cdp_api_synchronized(runtime, status);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (ms == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cdp_api_return(cdp_event_elapsed(runtime->streams, cdp_handle_of_event(start),
                                            cdp_handle_of_event(end), ms));
}
