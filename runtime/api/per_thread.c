/* The variants to which --default-stream per-thread binds programs: a NULL stream means the calling
 * thread's own default stream (compat/cdp/per_thread.h). Synchronous calls are their asynchronous
 * forms in that stream, followed by a wait. */
#include "cuda_runtime_api.h"

#include "api/error.h"
#include "base/attr.h"

static cudaStream_t own(cudaStream_t stream)
{
    return stream == NULL ? cudaStreamPerThread : stream;
}

static cudaError_t wait_for(cudaError_t error)
{
    return error != cudaSuccess ? error : cudaStreamSynchronize(cudaStreamPerThread);
}

/* Only asm labels name these functions, so they are declared here. */
CDP_EXPORT unsigned int __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared,
                                                         cudaStream_t stream);
CDP_EXPORT cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 grid, dim3 block, void **args,
                                             size_t shared, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func,
                                                void **args);
CDP_EXPORT cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn, void *data);
CDP_EXPORT cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int *priority);
CDP_EXPORT cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned int *flags);
CDP_EXPORT cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long *id);
CDP_EXPORT cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t stream, int *device);
CDP_EXPORT cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream);
CDP_EXPORT cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream);
CDP_EXPORT cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream,
                                                  cudaStreamCallback_t callback, void *data,
                                                  unsigned int flags);
CDP_EXPORT cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void *ptr, size_t length,
                                                     unsigned int flags);
CDP_EXPORT cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream,
                                                  enum cudaStreamCaptureStatus *status);
CDP_EXPORT cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream,
                                                   enum cudaStreamCaptureMode mode);
CDP_EXPORT cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t *graph);
CDP_EXPORT cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event,
                                                unsigned int flags);
CDP_EXPORT cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream,
                                                     unsigned int flags);
CDP_EXPORT cudaError_t cudaMallocAsync_ptsz(void **ptr, size_t size, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaFreeAsync_ptsz(void *ptr, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMallocFromPoolAsync_ptsz(void **ptr, size_t size, cudaMemPool_t pool,
                                                    cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemPrefetchAsync_ptsz(const void *ptr, size_t size, int device,
                                                 cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemcpy_ptds(void *dst, const void *src, size_t size,
                                       enum cudaMemcpyKind kind);
CDP_EXPORT cudaError_t cudaMemcpy2D_ptds(void *dst, size_t dst_pitch, const void *src,
                                         size_t src_pitch, size_t width, size_t height,
                                         enum cudaMemcpyKind kind);
CDP_EXPORT cudaError_t cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms *params);
CDP_EXPORT cudaError_t cudaMemcpy3DPeer_ptds(const struct cudaMemcpy3DPeerParms *params);
CDP_EXPORT cudaError_t cudaMemcpy3DPeerAsync_ptsz(const struct cudaMemcpy3DPeerParms *params,
                                                  cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemcpyPeer_ptds(void *dst, int dst_device, const void *src,
                                           int src_device, size_t size);
CDP_EXPORT cudaError_t cudaMemcpyToSymbol_ptds(const void *symbol, const void *src, size_t size,
                                               size_t offset, enum cudaMemcpyKind kind);
CDP_EXPORT cudaError_t cudaMemcpyFromSymbol_ptds(void *dst, const void *symbol, size_t size,
                                                 size_t offset, enum cudaMemcpyKind kind);
CDP_EXPORT cudaError_t cudaMemset_ptds(void *ptr, int value, size_t size);
CDP_EXPORT cudaError_t cudaMemset2D_ptds(void *ptr, size_t pitch, int value, size_t width,
                                         size_t height);
CDP_EXPORT cudaError_t cudaMemset3D_ptds(struct cudaPitchedPtr ptr, int value,
                                         struct cudaExtent extent);
CDP_EXPORT cudaError_t cudaMemcpyAsync_ptsz(void *dst, const void *src, size_t size,
                                            enum cudaMemcpyKind kind, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemcpy2DAsync_ptsz(void *dst, size_t dst_pitch, const void *src,
                                              size_t src_pitch, size_t width, size_t height,
                                              enum cudaMemcpyKind kind, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms *params,
                                              cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemcpyPeerAsync_ptsz(void *dst, int dst_device, const void *src,
                                                int src_device, size_t size, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *src,
                                                    size_t size, size_t offset,
                                                    enum cudaMemcpyKind kind, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *dst, const void *symbol, size_t size,
                                                      size_t offset, enum cudaMemcpyKind kind,
                                                      cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemsetAsync_ptsz(void *ptr, int value, size_t size, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemset2DAsync_ptsz(void *ptr, size_t pitch, int value, size_t width,
                                              size_t height, cudaStream_t stream);
CDP_EXPORT cudaError_t cudaMemset3DAsync_ptsz(struct cudaPitchedPtr ptr, int value,
                                              struct cudaExtent extent, cudaStream_t stream);

unsigned int __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared,
                                              cudaStream_t stream)
{
    return __cudaPushCallConfiguration(grid, block, shared, own(stream));
}

cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 grid, dim3 block, void **args,
                                  size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(func, grid, block, args, shared, own(stream));
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func,
                                     void **args)
{
    if (config == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cudaLaunchConfig_t copy = *config;
    copy.stream = own(config->stream);
    return cudaLaunchKernelExC(&copy, func, args);
}

cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn, void *data)
{
    return cudaLaunchHostFunc(own(stream), fn, data);
}

cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int *priority)
{
    return cudaStreamGetPriority(own(stream), priority);
}

cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned int *flags)
{
    return cudaStreamGetFlags(own(stream), flags);
}

cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long *id)
{
    return cudaStreamGetId(own(stream), id);
}

cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t stream, int *device)
{
    return cudaStreamGetDevice(own(stream), device);
}

cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream)
{
    return cudaStreamSynchronize(own(stream));
}

cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream)
{
    return cudaStreamQuery(own(stream));
}

cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback,
                                       void *data, unsigned int flags)
{
    return cudaStreamAddCallback(own(stream), callback, data, flags);
}

cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void *ptr, size_t length,
                                          unsigned int flags)
{
    return cudaStreamAttachMemAsync(own(stream), ptr, length, flags);
}

cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    return cudaStreamIsCapturing(own(stream), status);
}

cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return cudaStreamBeginCapture(own(stream), mode);
}

cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t *graph)
{
    return cudaStreamEndCapture(own(stream), graph);
}

cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream)
{
    return cudaGraphLaunch(exec, own(stream));
}

cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    return cudaStreamWaitEvent(own(stream), event, flags);
}

cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecord(event, own(stream));
}

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream,
                                          unsigned int flags)
{
    return cudaEventRecordWithFlags(event, own(stream), flags);
}

cudaError_t cudaMallocAsync_ptsz(void **ptr, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync(ptr, size, own(stream));
}

cudaError_t cudaFreeAsync_ptsz(void *ptr, cudaStream_t stream)
{
    return cudaFreeAsync(ptr, own(stream));
}

cudaError_t cudaMallocFromPoolAsync_ptsz(void **ptr, size_t size, cudaMemPool_t pool,
                                         cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(ptr, size, pool, own(stream));
}

cudaError_t cudaMemPrefetchAsync_ptsz(const void *ptr, size_t size, int device, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(ptr, size, device, own(stream));
}

cudaError_t cudaMemcpy_ptds(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind)
{
    return wait_for(cudaMemcpyAsync(dst, src, size, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2D_ptds(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return wait_for(cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind,
                                      cudaStreamPerThread));
}

cudaError_t cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms *params)
{
    return wait_for(cudaMemcpy3DAsync(params, cudaStreamPerThread));
}

cudaError_t cudaMemcpyPeer_ptds(void *dst, int dst_device, const void *src, int src_device,
                                size_t size)
{
    return wait_for(
        cudaMemcpyPeerAsync(dst, dst_device, src, src_device, size, cudaStreamPerThread));
}

cudaError_t cudaMemcpy3DPeer_ptds(const struct cudaMemcpy3DPeerParms *params)
{
    return wait_for(cudaMemcpy3DPeerAsync(params, cudaStreamPerThread));
}

cudaError_t cudaMemcpy3DPeerAsync_ptsz(const struct cudaMemcpy3DPeerParms *params,
                                       cudaStream_t stream)
{
    return cudaMemcpy3DPeerAsync(params, own(stream));
}

cudaError_t cudaMemcpyToSymbol_ptds(const void *symbol, const void *src, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind)
{
    return wait_for(cudaMemcpyToSymbolAsync(symbol, src, size, offset, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyFromSymbol_ptds(void *dst, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind)
{
    return wait_for(
        cudaMemcpyFromSymbolAsync(dst, symbol, size, offset, kind, cudaStreamPerThread));
}

cudaError_t cudaMemset_ptds(void *ptr, int value, size_t size)
{
    return wait_for(cudaMemsetAsync(ptr, value, size, cudaStreamPerThread));
}

cudaError_t cudaMemset2D_ptds(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
    return wait_for(cudaMemset2DAsync(ptr, pitch, value, width, height, cudaStreamPerThread));
}

cudaError_t cudaMemset3D_ptds(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent)
{
    return wait_for(cudaMemset3DAsync(ptr, value, extent, cudaStreamPerThread));
}

cudaError_t cudaMemcpyAsync_ptsz(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind,
                                 cudaStream_t stream)
{
    return cudaMemcpyAsync(dst, src, size, kind, own(stream));
}

cudaError_t cudaMemcpy2DAsync_ptsz(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                   size_t width, size_t height, enum cudaMemcpyKind kind,
                                   cudaStream_t stream)
{
    return cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind, own(stream));
}

cudaError_t cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms *params, cudaStream_t stream)
{
    return cudaMemcpy3DAsync(params, own(stream));
}

cudaError_t cudaMemcpyPeerAsync_ptsz(void *dst, int dst_device, const void *src, int src_device,
                                     size_t size, cudaStream_t stream)
{
    return cudaMemcpyPeerAsync(dst, dst_device, src, src_device, size, own(stream));
}

cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *src, size_t size,
                                         size_t offset, enum cudaMemcpyKind kind,
                                         cudaStream_t stream)
{
    return cudaMemcpyToSymbolAsync(symbol, src, size, offset, kind, own(stream));
}

cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *dst, const void *symbol, size_t size,
                                           size_t offset, enum cudaMemcpyKind kind,
                                           cudaStream_t stream)
{
    return cudaMemcpyFromSymbolAsync(dst, symbol, size, offset, kind, own(stream));
}

cudaError_t cudaMemsetAsync_ptsz(void *ptr, int value, size_t size, cudaStream_t stream)
{
    return cudaMemsetAsync(ptr, value, size, own(stream));
}

cudaError_t cudaMemset2DAsync_ptsz(void *ptr, size_t pitch, int value, size_t width, size_t height,
                                   cudaStream_t stream)
{
    return cudaMemset2DAsync(ptr, pitch, value, width, height, own(stream));
}

cudaError_t cudaMemset3DAsync_ptsz(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
                                   cudaStream_t stream)
{
    return cudaMemset3DAsync(ptr, value, extent, own(stream));
}
