/* Streams and events of the driver API: those of the runtime API. */
#include "api/driver/driver.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "base/alloc.h"

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    CDP_DRIVER_MAKE(CDP_LEAK_STREAM, stream, cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    CDP_DRIVER_MAKE(CDP_LEAK_STREAM, stream, cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
    CDP_DRIVER_CALL(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    CDP_DRIVER_CALL(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    CDP_DRIVER_CALL(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    CDP_DRIVER_CALL(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
    CDP_DRIVER_CALL(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    CDP_DRIVER_CALL(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
    CDP_DRIVER_CALL(cudaStreamGetId(stream, id));
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device)
{
    CDP_DRIVER_CALL(cudaStreamGetDevice(stream, device));
}

/* Attributes have the same numbers and values in both APIs. */
_Static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaLaunchAttributeValue), "another layout");

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attr, const CUstreamAttrValue *value)
{
    CDP_DRIVER_CALL(cudaStreamSetAttribute(stream, (cudaLaunchAttributeID)attr,
                                           (const cudaLaunchAttributeValue *)(const void *)value));
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attr, CUstreamAttrValue *value)
{
    CDP_DRIVER_CALL(cudaStreamGetAttribute(stream, (cudaLaunchAttributeID)attr,
                                           (cudaLaunchAttributeValue *)(void *)value));
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
    CDP_DRIVER_CALL(cudaStreamCopyAttributes(to, from));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    CDP_DRIVER_CALL(cudaLaunchHostFunc(stream, function, data));
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
    CDP_DRIVER_MAKE(CDP_LEAK_EVENT, event, cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    CDP_DRIVER_CALL(cudaEventRecord(event, stream));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    CDP_DRIVER_CALL(cudaEventRecordWithFlags(event, stream, flags));
}

CUresult cuEventQuery(CUevent event)
{
    CDP_DRIVER_CALL(cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    CDP_DRIVER_CALL(cudaEventSynchronize(event));
}

CUresult cuEventDestroy(CUevent event)
{
    CDP_DRIVER_CALL(cudaEventDestroy(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    CDP_DRIVER_CALL(cudaEventElapsedTime(ms, start, end));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    CDP_DRIVER_CALL(cudaIpcGetEventHandle((cudaIpcEventHandle_t *)handle, event));
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    cudaIpcEventHandle_t same;
    memcpy(&same, &handle, sizeof same);
    CDP_DRIVER_CALL(cudaIpcOpenEventHandle(event, same));
}
