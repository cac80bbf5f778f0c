/* Stream capture of the driver API: that of the runtime API. */
#include "cuda_runtime_api.h"

#include "api/driver/driver.h"

/* Modes and states have the same numbers in both APIs. */

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    CDP_DRIVER_CALL(cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode));
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *deps,
                                     const CUgraphEdgeData *edges, size_t count,
                                     CUstreamCaptureMode mode)
{
    CDP_DRIVER_CALL(cudaStreamBeginCaptureToGraph(stream, graph, deps, cdp_driver_edges(edges),
                                                  count, (enum cudaStreamCaptureMode)mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    CDP_DRIVER_MAKE(CDP_LEAK_GRAPH, graph, cudaStreamEndCapture(stream, graph));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    enum cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaStreamIsCapturing(stream, status == NULL ? NULL : &found));
    if (result == CUDA_SUCCESS) {
        *status = (CUstreamCaptureStatus)found;
    }
    return result;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                   CUgraph *graph, const CUgraphNode **deps,
                                   const CUgraphEdgeData **edges, size_t *count)
{
    enum cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
    unsigned long long number = 0;
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    const cudaGraphEdgeData *data = NULL;
    result = cdp_driver_end(
        &call, cudaStreamGetCaptureInfo_v3(stream, status == NULL ? NULL : &found, &number, graph,
                                           deps, edges == NULL ? NULL : &data, count));
    if (result == CUDA_SUCCESS) {
        *status = (CUstreamCaptureStatus)found;
    }
    if (result == CUDA_SUCCESS && id != NULL) {
        *id = number;
    }
    if (result == CUDA_SUCCESS && edges != NULL) {
        *edges = (const CUgraphEdgeData *)(const void *)data;
    }
    return result;
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                CUgraph *graph, const CUgraphNode **deps, size_t *count)
{
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, deps, NULL, count);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *deps, size_t count,
                                           unsigned int flags)
{
    CDP_DRIVER_CALL(cudaStreamUpdateCaptureDependencies(stream, deps, count, flags));
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *deps,
                                              const CUgraphEdgeData *edges, size_t count,
                                              unsigned int flags)
{
    CDP_DRIVER_CALL(cudaStreamUpdateCaptureDependencies_v2(stream, deps, cdp_driver_edges(edges),
                                                           count, flags));
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || mode == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    enum cudaStreamCaptureMode other = (enum cudaStreamCaptureMode) * mode;
    result = cdp_driver_end(&call, cudaThreadExchangeStreamCaptureMode(&other));
    if (result == CUDA_SUCCESS) {
        *mode = (CUstreamCaptureMode)other;
    }
    return result;
}
