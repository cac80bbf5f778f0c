/* Streams and events of the driver API: those of the runtime API. */
#include "api/driver/driver.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "base/alloc.h"

/* The result of a call that needs a context. */
#define CALL(expression)                                                                           \
    struct cdp_driver_call call;                                                                   \
    CUresult result = cdp_driver_begin(&call);                                                     \
    return result != CUDA_SUCCESS ? result : cdp_driver_end(&call, expression)

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    CALL(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    CALL(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
    CALL(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    CALL(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    CALL(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    CALL(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
    CALL(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    CALL(cudaStreamGetPriority(stream, priority));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    CALL(cudaLaunchHostFunc(stream, function, data));
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    unsigned flags;
    CUresult result = cuStreamGetFlags(stream, &flags);
    if (result != CUDA_SUCCESS || context == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *context = cdp_context_current();
    return CUDA_SUCCESS;
}

/* A callback of this API, whose status has another type. Freed when it has run. */
struct callback {
    CUstreamCallback function;
    void *data;
};

static void run_callback(cudaStream_t stream, cudaError_t status, void *data)
{
    struct callback callback = *(struct callback *)data;
    cdp_free(data);
    callback.function(stream, cdp_driver_result(status), callback.data);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void *data,
                             unsigned int flags)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || function == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    struct callback *callback = cdp_alloc(sizeof *callback);
    if (callback == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *callback = (struct callback){.function = function, .data = data};
    result = cdp_driver_end(&call, cudaStreamAddCallback(stream, run_callback, callback, flags));
    if (result != CUDA_SUCCESS) {
        cdp_free(callback);
    }
    return result;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    CALL(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    CALL(cudaEventRecord(event, stream));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    CALL(cudaEventRecordWithFlags(event, stream, flags));
}

CUresult cuEventQuery(CUevent event)
{
    CALL(cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    CALL(cudaEventSynchronize(event));
}

CUresult cuEventDestroy(CUevent event)
{
    CALL(cudaEventDestroy(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    CALL(cudaEventElapsedTime(ms, start, end));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    CALL(cudaIpcGetEventHandle((cudaIpcEventHandle_t *)handle, event));
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    cudaIpcEventHandle_t same;
    memcpy(&same, &handle, sizeof same);
    CALL(cudaIpcOpenEventHandle(event, same));
}
